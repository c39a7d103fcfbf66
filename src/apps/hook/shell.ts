export { shellLanguage } from '../../core/similarity/language.ts';
