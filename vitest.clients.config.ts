import { defineConfig } from 'vitest/config';
import { testReport } from './tools/test-report.ts';

// Each test starts real clients of some hundred megabytes, so one file runs at a time.
export default defineConfig({
  test: {
    // A skipped client must say why, which the default reporter hides.
    reporters: ['verbose', ...testReport('clients')],
    include: ['e2e/model/**/*.test.ts', 'e2e/clients/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    maxConcurrency: 1,
  },
});
