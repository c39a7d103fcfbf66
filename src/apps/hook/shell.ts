export { shell } from '../../core/shell/shell.ts';
