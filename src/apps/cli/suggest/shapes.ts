import type { LearnTarget } from '../../../core/model/queue.ts';
import type { ContextClass } from '../../../core/model/record.ts';
import type { NoShape, Shape } from '../../../core/similarity/shape.ts';
import type { Project, Surroundings } from '../../compose.ts';

/** Where the shapes of stored calls are read. */
export interface ShapePlace {
  readonly project: Project;
  readonly surroundings: Pick<Surroundings, 'shell'>;
}

/** The directory in which a call of this context was made; nothing for one outside the project. */
export const directoryOf = (context: ContextClass, root: string): string | undefined => {
  if (context === 'outside') return undefined;
  return context === 'root' ? root : `${root}/${context.slice('inside:'.length)}`;
};

/** Text in which something was redacted could be one of many calls. */
const isRedacted = (text: string): boolean => /<SECRET:|<REDACTED>/.test(text);

/** The shape of a stored shell call, or why it has none. */
export const shapeOfStored = (
  { text, context }: { readonly text: string; readonly context: ContextClass },
  { project, surroundings }: ShapePlace,
): Shape | NoShape => {
  const { root } = project.root;
  const cwd = directoryOf(context, root);
  if (cwd === undefined) return { kind: 'none', why: 'it was made outside the project' };
  if (isRedacted(text)) return { kind: 'none', why: 'part of its text was redacted' };
  return surroundings.shell().shape(text, { root, cwd, home: project.places.homes[0] ?? '/', user: project.user });
};

/**
 * The shape that a waiting call was filed with, when it still is the shape of that call; or why the call can only be
 * remembered as it is.
 */
export const shapeToLearn = (learn: LearnTarget, place: ShapePlace): Required<LearnTarget>['shape'] | NoShape => {
  if (learn.tool !== 'Bash') return { kind: 'none', why: 'only shell commands have a shape' };
  if (learn.lossy) return { kind: 'none', why: 'part of its text was redacted' };
  const found = shapeOfStored({ text: learn.sanitized_input, context: learn.context }, place);
  if (found.kind === 'none') return found;
  if (learn.shape === undefined) return { kind: 'none', why: 'it was filed without its shape' };
  return learn.shape.text === found.text ? learn.shape : { kind: 'none', why: 'its shape is read differently now' };
};
