import { defineConfig } from 'vitest/config';
import { testReport } from './tools/test-report.ts';

// Scenarios start the built programs, with terminals and git repositories of their own, but no real client.
export default defineConfig({
  test: {
    include: ['e2e/scenarios/**/*.test.ts'],
    reporters: ['default', ...testReport('e2e')],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
