import { has, optionTable, parseArguments, valueOfOption } from '../arguments.ts';
import { baseName } from '../lexical-path.ts';
import type { ShellEffect, WordReading } from '../model.ts';
import { deletePath, readPath, writePath } from '../path-effects.ts';
import { isSystemPath, treasureAt, treasureMatching } from '../places.ts';
import { applyRole } from '../roles.ts';
import { literalText, type Program, program, type ReadProgram, type Tools, uncovered, word } from '../tools.ts';

const unknownOptions = (names: readonly string[], tools: Tools): ShellEffect[] =>
  names.map((name) => uncovered(`${tools.program} ${name}`));

const rmTable = optionTable(
  '-r -R -f -i -I -v -d -x -P -W --recursive --force --interactive? --verbose --dir --one-file-system --preserve-root? --no-preserve-root --help --version',
);

const remove: ReadProgram = (args, tools) => {
  const parsed = parseArguments(args, rmTable);
  const recursive = has(parsed, '-r', '-R', '--recursive') || parsed.unknown.some((name) => /^-[rR]/.test(name));
  const from = parsed.operands.some((one) => one.from?.includes('arguments')) ? { from: ['arguments'] } : {};
  const computedOption = parsed.maybeOption && !recursive ? [uncovered('a word may turn out to be an option')] : [];
  return [
    ...unknownOptions(parsed.unknown, tools),
    ...computedOption,
    ...parsed.operands.flatMap((one) => deletePath(tools.target(one), { recursive, ...from }, tools.context)),
  ];
};

const moveTable = optionTable(
  '-f -i -n -v -u -b -T -Z -h -t:text -S:text --force --interactive --no-clobber --verbose --update? --backup? --strip-trailing-slashes --no-target-directory --target-directory=text --suffix=text',
);

const copyTable = optionTable(
  '-a -r -R -p -f -i -n -v -u -l -s -d -x -L -P -H -T -b -c -X -Z -t:text -S:text --archive --recursive --preserve? --no-preserve= --force --interactive --no-clobber --verbose --update? --link --symbolic-link --dereference --no-dereference --parents --backup? --reflink? --sparse= --one-file-system --no-target-directory --target-directory=text --remove-destination --attributes-only --suffix=text',
);

interface Transfer {
  readonly sources: readonly WordReading[];
  readonly target: WordReading | undefined;
}

const transferOf = (operands: readonly WordReading[], into: WordReading | undefined): Transfer =>
  into === undefined
    ? { sources: operands.slice(0, -1), target: operands.at(-1) }
    : { sources: operands, target: into };

// What lands in a directory keeps its name: `cp x ~/` may write `~/x`.
const landings = (transfer: Transfer, tools: Tools): ShellEffect[] => {
  if (transfer.target === undefined) return [];
  const target = tools.target(transfer.target);
  const direct = writePath(target, { how: 'replace' }, tools.context);
  if (target.certainty === 'dynamic') return direct;
  const inside = transfer.sources.flatMap((source) => {
    const name = literalText(source) === undefined ? undefined : baseName(tools.target(source).path);
    return name === undefined || name === ''
      ? []
      : writePath(
          { ...target, path: `${target.path === '/' ? '' : target.path}/${name}` },
          { how: 'replace' },
          tools.context,
        ).filter((one) => one.risk === 'persist' || one.risk === 'control');
  });
  return [...direct, ...inside];
};

const carryFiles = (transfer: Transfer, tools: Tools): void => {
  if (transfer.target === undefined) return;
  const target = tools.target(transfer.target);
  for (const source of transfer.sources) {
    const from = tools.target(source);
    const written = tools.walk.files.get(from.path);
    if (written === undefined) continue;
    tools.walk.files.set(target.path, written);
    tools.walk.files.set(`${target.path}/${baseName(from.path)}`, written);
  }
};

const move: ReadProgram = (args, tools) => {
  const parsed = parseArguments(args, moveTable);
  const transfer = transferOf(parsed.operands, valueOfOption(parsed, '-t', '--target-directory'));
  carryFiles(transfer, tools);
  const away = transfer.sources.flatMap((source) => {
    const target = tools.target(source);
    const effects = deletePath(target, { recursive: true }, tools.context);
    const secret = readPath(target, { how: 'content', shown: false }, tools.context).filter(
      (one) => one.risk === 'credentials',
    );
    return [
      ...effects.map(
        (one): ShellEffect =>
          one.kind === 'catastrophe' ? { ...one, what: one.what.replace('deletes', 'moves away') } : one,
      ),
      ...secret,
    ];
  });
  return [...unknownOptions(parsed.unknown, tools), ...away, ...landings(transfer, tools)];
};

// From here on the new name stands for the old one, there or under its own name in a directory.
const recordLinks = (transfer: Transfer, tools: Tools): void => {
  if (transfer.target === undefined) return;
  const at = tools.target(transfer.target).path;
  if (at === '') return;
  for (const source of transfer.sources) {
    const to = tools.target(source);
    const name = baseName(to.path);
    tools.walk.links.push({ path: at, to });
    if (name !== '') tools.walk.links.push({ path: `${at === '/' ? '' : at}/${name}`, to });
  }
};

const copy: ReadProgram = (args, tools) => {
  const parsed = parseArguments(args, copyTable);
  const transfer = transferOf(parsed.operands, valueOfOption(parsed, '-t', '--target-directory'));
  if (has(parsed, '-s', '--symbolic-link', '-l', '--link')) recordLinks(transfer, tools);
  carryFiles(transfer, tools);
  const how = has(parsed, '-r', '-R', '-a', '--recursive', '--archive') ? 'search' : 'content';
  const reads = transfer.sources.flatMap((source) =>
    readPath(tools.target(source), { how, shown: false }, tools.context),
  );
  return [...unknownOptions(parsed.unknown, tools), ...reads, ...landings(transfer, tools)];
};

const linkTable = optionTable(
  '-s -f -n -v -r -i -b -T -L -P -h -F -t:text --symbolic --force --no-dereference --verbose --relative --interactive --backup? --no-target-directory --target-directory=text --physical --logical',
);

const link: ReadProgram = (args, tools) => {
  const parsed = parseArguments(args, linkTable);
  const into = valueOfOption(parsed, '-t', '--target-directory');
  const transfer =
    parsed.operands.length === 1 && into === undefined
      ? { sources: parsed.operands, target: word('.') }
      : transferOf(parsed.operands, into);
  const effects: ShellEffect[] = unknownOptions(parsed.unknown, tools);
  const landed = landings(transfer, tools);
  recordLinks(transfer, tools);
  for (const source of transfer.sources) {
    const target = tools.target(source);
    const reads = readPath(target, { how: 'content', shown: false }, tools.context);
    const secretTree = /\/\.(?:ssh|aws|gnupg)$/.test(target.path);
    effects.push(
      ...reads
        .filter((one) => one.risk !== undefined)
        .map((one): ShellEffect => (one.kind === 'read' && secretTree ? { ...one, shown: true } : one)),
    );
    if (treasureAt(target.path, tools.context) !== undefined && target.certainty === 'literal')
      effects.push({ kind: 'state', what: 'link to a protected directory', risk: 'destroy' });
  }
  return [...effects, ...landed.map((one): ShellEffect => (one.kind === 'write' ? { ...one, how: 'link' } : one))];
};

const modeTable = optionTable(
  '-R -v -f -c -h -H -L -P --recursive --verbose --changes --quiet --silent --preserve-root --no-preserve-root --reference=text --from=text --dereference --no-dereference',
);

// Modes may start with a dash: `chmod -x file`.
const isMode = (text: string | undefined): boolean =>
  text !== undefined && /^-[rwxXstugo,+=-]+$/.test(text) && !/^-[R]/.test(text);

const attributes: ReadProgram = (args, tools) => {
  const dashed = tools.program === 'chmod' ? args.filter((one) => isMode(literalText(one))) : [];
  const parsed = parseArguments(
    args.filter((one) => !dashed.includes(one)),
    modeTable,
  );
  const recursive = has(parsed, '-R', '--recursive');
  const skips = has(parsed, '--reference') || dashed.length > 0 ? 0 : 1;
  const effects: ShellEffect[] = unknownOptions(parsed.unknown, tools);
  if (
    /^[ug]*\+[rwx]*s|^[ugoa]*[+=][rwxX]*s|^[2467]\d{3}$/.test(literalText(parsed.operands[0]) ?? '') &&
    tools.program === 'chmod'
  )
    effects.push({ kind: 'privilege', how: 'set-user-id', risk: 'privilege' });
  for (const one of parsed.operands.slice(skips)) {
    const target = tools.target(one);
    effects.push(...writePath(target, { how: 'attributes', recursive }, tools.context));
    const lost =
      recursive &&
      target.certainty === 'literal' &&
      (isSystemPath(target.path) || target.path === '/' || treasureAt(target.path, tools.context) !== undefined) &&
      target.path !== tools.context.root;
    const matched = recursive && target.certainty === 'glob' ? treasureMatching(target.path, tools.context) : undefined;
    if (lost || (matched !== undefined && !target.path.startsWith(`${tools.context.root}/`)))
      effects.push({ kind: 'catastrophe', what: `changes ownership or modes of ${target.path}`, risk: 'destroy' });
  }
  return effects;
};

const shredTable = optionTable(
  '-f -n: -s: -u -v -x -z --force --iterations= --size= --remove? --verbose --exact --zero --random-source=use',
);

const shred: ReadProgram = (args, tools) => {
  const parsed = parseArguments(args, shredTable);
  return [
    ...unknownOptions(parsed.unknown, tools),
    ...parsed.operands.flatMap((one) => [
      ...applyRole('write', one, tools),
      ...deletePath(tools.target(one), { recursive: false }, tools.context),
    ]),
  ];
};

const truncateTable = optionTable('-c -o -s: -r:use --no-create --io-blocks --size= --reference=use');

const truncate: ReadProgram = (args, tools) => {
  const parsed = parseArguments(args, truncateTable);
  return [
    ...unknownOptions(parsed.unknown, tools),
    ...parsed.operands.flatMap((one) => applyRole('write', one, tools)),
  ];
};

const convert: ReadProgram = (args, tools) =>
  args.flatMap((one) => {
    const text = literalText(one) ?? (one.kind === 'dynamic' ? one.shape : '');
    const equals = text.indexOf('=');
    const name = text.slice(0, equals);
    const value: WordReading =
      one.kind === 'dynamic'
        ? { ...one, shape: text.slice(equals + 1), knownPrefix: one.knownPrefix.slice(equals + 1) }
        : word(text.slice(equals + 1));
    if (name === 'of') return [...writePath(tools.target(value), { how: 'replace' }, tools.context)];
    if (name === 'if') return [...applyRole('read', value, tools)];
    return /^(?:bs|ibs|obs|cbs|count|seek|skip|iseek|oseek|conv|iflag|oflag|status)$/.test(name)
      ? []
      : [uncovered(`dd ${text}`)];
  });

/** Programs that remove, move, copy and change files. */
export const removalPrograms: readonly Program[] = [
  program('rm grm unlink', remove),
  program('rmdir', (args, tools) =>
    parseArguments(args, optionTable('-p -v --parents --verbose --ignore-fail-on-non-empty')).operands.flatMap((one) =>
      deletePath(tools.target(one), { recursive: false }, tools.context),
    ),
  ),
  program('mv gmv', move),
  program('cp gcp', copy),
  program('ln gln link', link),
  program('chmod chown chgrp chflags chattr setfacl', attributes),
  program('shred', shred),
  program('truncate', truncate),
  program('dd', convert),
  program('trash trash-put rimraf del-cli', (args, tools) =>
    args
      .filter((one) => !literalText(one)?.startsWith('-'))
      .flatMap((one) => deletePath(tools.target(one), { recursive: true }, tools.context)),
  ),
];
