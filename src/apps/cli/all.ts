import type { Command } from './command.ts';
import { approve } from './commands/approve.ts';
import { build } from './commands/build.ts';
import { check } from './commands/check-batch.ts';
import { config } from './commands/config.ts';
import { deny } from './commands/deny.ts';
import { disable } from './commands/disable.ts';
import { doctor } from './commands/doctor.ts';
import { enable } from './commands/enable.ts';
import { explain } from './commands/explain.ts';
import { exportRules } from './commands/export.ts';
import { init } from './commands/init.ts';
import { invalidate } from './commands/invalidate.ts';
import { log } from './commands/log.ts';
import { override } from './commands/override.ts';
import { promote } from './commands/promote.ts';
import { queue } from './commands/queue.ts';
import { register } from './commands/register.ts';
import { scan } from './commands/scan.ts';
import { stats } from './commands/stats.ts';
import { status } from './commands/status.ts';
import { suggest } from './commands/suggest.ts';
import { switchRole } from './commands/switch.ts';
import { tidy } from './commands/tidy.ts';
import { trust } from './commands/trust.ts';

/** Every command, in the order in which help lists them. */
export const commands: readonly Command[] = [
  check,
  explain,
  init,
  doctor,
  status,
  config,
  stats,
  log,
  register,
  switchRole,
  disable,
  enable,
  queue,
  approve,
  deny,
  suggest,
  override,
  invalidate,
  trust,
  promote,
  tidy,
  exportRules,
  build,
  scan,
];
