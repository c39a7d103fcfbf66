import { describe, expect, it } from 'vitest';
import { readShell, registry } from './registry.ts';
import { builtinVerdict } from './verdict.ts';

const context = { cwd: '/home/u/proj', home: '/home/u', user: 'u', root: '/home/u/proj' };
const verdictOf = (source: string) => builtinVerdict(readShell(source, context), context).verdict;
const programs = [...registry.keys()].filter((name) => /^[A-Za-z0-9._+-]+$/.test(name)).sort();

/** Shell builtins and words: an option that they do not know is an error message, or a text to print. */
const harmlessAnyway = new Set(
  (
    'alias bg break caller cd chdir continue dirs disown echo exit false fg getopts hash jobs let logout mapfile popd printf ' +
    'pushd pwd read readarray rehash return set setopt shift shopt suspend test times trap true type ulimit umask unalias ' +
    // These remove what they are given, and are given nothing here.
    'unset unsetopt wait whence where which del-cli rimraf rmdir srm trash trash-put wipe'
  ).split(' '),
);

describe('every program in the tables', () => {
  it('is one of many', () => expect(programs.length).toBeGreaterThanOrEqual(250));

  it('is never allowed with an option that the tables do not know', () => {
    const allowed = programs.filter((name) => verdictOf(`${name} --no-such-option-x`) === 'allow');
    expect(allowed.filter((name) => !harmlessAnyway.has(name))).toEqual([]);
  });

  it.each([
    ['a substitution in its arguments', (name: string) => `${name} "$(rm -rf ~)"`],
    ['output into a start-up file', (name: string) => `${name} >> ~/.bashrc`],
    ['a catastrophe behind it', (name: string) => `${name}; rm -rf ~`],
  ])('hides no %s', (_, make) => {
    expect(programs.filter((name) => verdictOf(make(name)) !== 'deny')).toEqual([]);
  });

  it('still deletes when it also has an option that is not known', () => {
    const removers = ['rimraf', 'rmdir', 'srm', 'trash', 'wipe', 'rm', 'unlink'];
    expect(removers.filter((name) => verdictOf(`${name} --no-such-option-x src`) === 'allow')).toEqual([]);
  });

  it.each([
    'gdb -batch -ex "shell id"',
    'gdb --eval-command="shell id"',
    'lldb --one-line "platform shell id"',
    'mount -a',
    'mount --bind a b',
    'sysctl -p',
    'sysctl --system',
    'sysctl -w a=b',
    'journalctl --vacuum-size=1M',
    'journalctl --root=/x',
    'nm --plugin=./evil.so a.o',
    'lipo a -create -output b',
  ])('does not allow %s', (source) => expect(verdictOf(source)).not.toBe('allow'));

  it.each([
    'sysctl -a',
    'mount',
    'journalctl -u nginx --since today --no-pager',
    'objdump -d a.o',
    'nm -C a.o',
    'hostnamectl status',
  ])('allows %s', (source) => expect(verdictOf(source)).toBe('allow'));

  it('is not allowed as another user', () => {
    expect(programs.filter((name) => verdictOf(`sudo ${name} x`) === 'allow')).toEqual([]);
  });
});
