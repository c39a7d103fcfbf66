export { compileSources } from '../../io/config/compile-sources.ts';
