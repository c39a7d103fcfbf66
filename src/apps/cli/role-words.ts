import { errors } from '../../core/model/errors.ts';
import { roleGroups } from '../../core/policy/roles.ts';
import type { Project } from '../compose.ts';
import type { Invocation } from './command.ts';
import { visible } from './visible.ts';

/** The roles that exist here, grouped as prompts group them. */
export const roleLines = ({ policy }: Project): string[] => {
  const custom = Object.values(policy.roles).flatMap((role) => (role.category === 'custom' ? [role.name] : []));
  const groups = custom.length === 0 ? roleGroups : [...roleGroups, { title: 'Custom', roles: custom }];
  return groups.map(({ title, roles }) => `  ${title}: ${roles.map(visible).join(', ')}`);
};

/** Says that there is no such role, and which there are. */
export const complainOfRole = ({ complain }: Invocation, project: Project, name: string): 1 => {
  complain(visible(errors.roleNotFound(name.slice(0, 128)).message));
  complain('Available roles:');
  for (const line of roleLines(project)) complain(line);
  return 1;
};
