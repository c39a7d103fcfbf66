import { defineConfig } from 'vitest/config';
import { testReport } from './tools/test-report.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'corpus/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
    reporters: ['default', ...testReport('unit')],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    pool: 'threads',
  },
});
