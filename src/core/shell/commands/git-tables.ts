import type { Row } from '../rows.ts';

const diffing =
  '-p -u -s -U: -M? -C? -B? -D -R -a -b -w -z -q -i -r -t -c -m -S: -G: -O: -l: -1 -2 -3 -0 -W --patch --no-patch --unified= --raw --stat? --numstat --shortstat --dirstat? --summary --name-only --name-status --cached --staged --merge-base --color? --no-color --color-words? --word-diff? --word-diff-regex= --color-moved? --check --full-index --binary --abbrev? --no-abbrev --find-renames? --no-renames --find-copies? --diff-filter= --pickaxe-regex --pickaxe-all --relative? --no-relative --text --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-cr-at-eol --inter-hunk-context= --function-context --exit-code --quiet --no-ext-diff --ext-diff!hidden --textconv --no-textconv --ignore-submodules? --submodule? --src-prefix= --dst-prefix= --no-prefix --minimal --patience --histogram --diff-algorithm= --anchored= --output=write --output-indicator-new= --no-index --patch-with-stat --compact-summary --ita-invisible-in-index --combined-all-paths --cc --indent-heuristic --no-indent-heuristic --root --diff-merges= --remerge-diff --no-merges --merges --pretty? --skip-to= --rotate-to= --name-only --line-prefix= --stat-width= --stat-name-width= --stat-count=';

const logging =
  '-n: -L: -g -F -E -P --oneline --graph --all --decorate? --no-decorate --format= --date= --since= --after= --until= --before= --author= --committer= --grep= --all-match --invert-grep --max-count= --skip= --follow --reverse --first-parent --branches? --tags? --remotes? --glob= --exclude= --not --topo-order --date-order --author-date-order --simplify-merges --simplify-by-decoration --full-history --ancestry-path? --left-right --cherry-pick --cherry-mark --cherry --left-only --right-only --boundary --parents --children --abbrev-commit --no-abbrev-commit --show-signature --notes? --no-notes --walk-reflogs --source --use-mailmap --mailmap --no-mailmap --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --merge --count --min-parents= --max-parents= --no-walk? --stdin --log-size --show-pulls --relative-date --no-min-parents --reflog --timestamp --objects --objects-edge --disk-usage? --numbered --email --expand-tabs? --encoding= --decorate-refs= --decorate-refs-exclude= --dense --sparse --remove-empty --bisect --quiet --no-color --no-max-parents';

/** Subcommands of git that only look, with the options that keep them so. */
export const readingSubcommands: readonly Row[] = [
  {
    names: 'status',
    operands: 'text*',
    options:
      '-s -b -v -u? -z --short --branch --porcelain? --long --show-stash --verbose --untracked-files? --ignored? --ignore-submodules? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?',
  },
  {
    names: 'diff|diff-tree|diff-index|diff-files|range-diff',
    operands: 'read*',
    style: { counts: true },
    options: `${diffing} --no-commit-id --stdin --creation-factor= --no-dual-color`,
  },
  {
    names: 'shortlog',
    operands: 'read*',
    lenient: true,
    options: '-s -n -e -c -w? --group= --format= --since= --until= --author= --output=write',
  },
  {
    names: 'log|show|whatchanged|rev-list|cherry|reflog show|stash show|format-patch --stdout',
    operands: 'read*',
    style: { counts: true },
    options: `${diffing} ${logging} -e -v -h`,
  },
  {
    names: 'blame|annotate|pickaxe',
    operands: 'read*',
    options:
      '-b -c -C? -e -f -h -k -l -L: -M? -n -p -s -S: -t -w --root --date= --reverse --porcelain --line-porcelain --incremental --show-email --show-name --show-number --since= --ignore-rev= --ignore-revs-file=use --first-parent --color-lines --color-by-age --abbrev= --no-abbrev --show-stats --score-debug --contents=read --minimal',
  },
  {
    names:
      'rev-parse|describe|name-rev|merge-base|show-ref|for-each-ref|show-branch|var|version|help|count-objects|check-ignore|check-attr|check-ref-format|check-mailmap|verify-commit|verify-tag|fsck|stripspace|get-tar-commit-id|ls-files|ls-tree|cat-file|interpret-trailers|diff-pairs|patch-id|column|fmt-merge-msg|branch --list|merge-tree|remote show|remote get-url|notes list|notes show|worktree list|stash list|submodule status|submodule summary|bisect log|bisect view|sparse-checkout list|lfs ls-files|lfs status|lfs env|tag --list|tag -l|bundle verify|bundle list-heads|config list|config get|maintenance --help|last-modified',
    operands: 'read*',
    style: { counts: true },
    options:
      '-a -b -B -c -d -D -e -f -g -h -H -i -k -l -m -n: -o -p -q -r -s -t -T -u -v -w -x: -X: -z -S --abbrev? --abbrev-ref? --all --always --any --batch? --batch-check? --branches? --cached --candidates= --contains? --count= --debug --default= --deduplicate --deleted --dirty? --error-unmatch --exact-match --exclude= --exclude-from=use --exclude-per-directory= --exclude-standard --exists --first-parent --follow-symlinks --force --format= --full-name --full-tree --fork-point --git-common-dir --git-dir --git-path= --heads --ignored --independent --is-ancestor --is-bare-repository --is-inside-git-dir --is-inside-work-tree --is-shallow-repository --killed --local-env-vars --long --match= --merged? --modified --name-only --name-status --no-color --no-contains? --no-empty-directory --no-merged? --no-revs --non-matching --object-only --octopus --only-trailers --others --parse --path-format= --points-at= --pretty --quiet --recurse-submodules --refs= --remotes? --resolve-git-dir= --short? --show-cdup --show-prefix --show-superproject-working-tree --show-toplevel --show-object-format? --shared-index-path --since= --sort= --sq --stage --stdin --symbolic --symbolic-full-name --tags? --textconv --tree --unmerged --unordered --until= --verbose --verify --with-tree= --write-tree --null --output-indicator-new= --dereference --head --eol --sparse --resolve-undo --directory --list --column? --recursive --no-notes --show-current --porcelain --type= --show-origin --show-scope --expire --filters? --path= --use-mailmap --use-bitmap-index --buffer --ignore-case --cone --exclude-existing? --human-readable --unreachable --no-reflogs --connectivity-only --strict --lost-found!open --full --no-full --progress --no-progress --dangling --no-dangling --name-objects --only-input --trailer= --build-options --guides --config --user-interfaces --developer-interfaces --web!hidden --man --info --no-external-commands --no-aliases --dry-run',
  },
];

/** `git help`, which can start a browser. */
export const helpSubcommand: Row = {
  names: 'help',
  operands: 'text*',
  options:
    '-a -g -c -m -i -v -w!hidden --all --guides --config --user-interfaces --developer-interfaces --web!hidden --man --info --verbose --no-external-commands --no-aliases',
};

const network =
  '-v -q --verbose --quiet --progress --no-progress -4 -6 --ipv4 --ipv6 --upload-pack=hidden -o: --server-option=';

/** Subcommands whose meaning does not depend on their operands. */
export const plainSubcommands: readonly Row[] = [
  {
    names: 'add|stage',
    operands: 'use*',
    options:
      '-A -n -v -f -i!open -p!open -e!open -u -N --all --no-all --dry-run --verbose --force --update --intent-to-add --refresh --ignore-errors --ignore-missing --renormalize --chmod= --sparse --interactive!open --patch!open --edit!open --pathspec-from-file=use',
    always: [{ kind: 'repository', change: 'stage', what: 'add' }],
  },
  {
    names: 'rm',
    operands: 'delete-tree*',
    options: '-f -n -r -q --cached --force --dry-run --ignore-unmatch --quiet --sparse',
    always: [{ kind: 'repository', change: 'stage', what: 'rm' }],
  },
  {
    names: 'mv',
    operands: 'delete-tree* write',
    options: '-f -k -n -v --force --dry-run --verbose --sparse',
    always: [{ kind: 'repository', change: 'stage', what: 'mv' }],
  },
  {
    names: 'merge',
    operands: 'text*',
    options:
      '-m: -F:use -e -n -q -v -s: -X: -S? --abort!destroy --quit --continue --commit --no-commit --edit --no-edit --ff --no-ff --ff-only --squash --no-squash --log? --stat --no-stat --signoff --strategy= --strategy-option= --message= --file=use --allow-unrelated-histories --no-verify!open --verify-signatures --autostash --quiet --verbose --progress --into-name=',
    always: [{ kind: 'repository', change: 'integrate', what: 'merge' }],
  },
  {
    names: 'cherry-pick|revert',
    operands: 'text*',
    options:
      '-e -n -x -m: -r -s -S? -X: --edit --no-edit --no-commit --mainline= --signoff --ff --continue --skip --abort!destroy --quit --strategy= --strategy-option= --allow-empty --keep-redundant-commits --empty= --reference',
    always: [{ kind: 'repository', change: 'integrate', what: 'cherry-pick' }],
  },
  {
    names: 'fetch',
    operands: 'text*',
    options: `${network} -a -f -k -p -P -n -t -u -j: --all --append --atomic --depth= --deepen= --shallow-since= --shallow-exclude= --unshallow --update-shallow --dry-run --force --keep --multiple --prune --prune-tags --no-tags --tags --recurse-submodules? --no-recurse-submodules --jobs= --set-upstream --update-head-ok --refmap= --filter= --no-filter --negotiation-tip= --porcelain --auto-maintenance --no-auto-maintenance --auto-gc --no-auto-gc --no-write-fetch-head --refetch`,
    always: [{ kind: 'repository', change: 'fetch', what: 'fetch' }],
  },
  {
    names: 'pull',
    operands: 'text*',
    options: `${network} -r? -n -s: -X: -S? -e -a -f -k -p -t -j: --rebase? --no-rebase --ff --no-ff --ff-only --commit --no-commit --squash --no-squash --edit --no-edit --stat --no-stat --log? --strategy= --strategy-option= --autostash --no-autostash --allow-unrelated-histories --all --append --depth= --unshallow --prune --tags --no-tags --force --set-upstream --recurse-submodules? --no-verify!open --dry-run --signoff`,
    always: [{ kind: 'repository', change: 'integrate', what: 'pull' }],
  },
  {
    names: 'ls-remote',
    operands: 'text*',
    options: `${network} -h -t -b --heads --tags --branches --refs --exit-code --get-url --sort= --symref`,
  },
  {
    names: 'init',
    operands: 'create',
    options:
      '-q -b: --quiet --bare --initial-branch= --template=hidden --separate-git-dir=open --shared? --object-format= --ref-format=',
    always: [{ kind: 'repository', change: 'configure', what: 'init' }],
  },
  {
    names: 'gc',
    options:
      '--aggressive --auto --quiet -q --prune?destroy --no-prune --force --keep-largest-pack --cruft --no-detach --no-cruft',
    always: [{ kind: 'repository', change: 'configure', what: 'gc' }],
  },
  {
    names: 'archive',
    operands: 'text*',
    options:
      '-l -v -o:write --format= --list --prefix= --output=write --remote=hidden --exec=hidden --worktree-attributes --add-file=use --mtime= -0 -1 -9',
  },
  {
    names: 'format-patch',
    operands: 'text*',
    style: { counts: true },
    options:
      '-o:write -n -N -k -s -v: -p -M? --stdout --output-directory=write --cover-letter --numbered --no-numbered --start-number= --subject-prefix= --rfc --signoff --thread? --to= --cc= --in-reply-to= --base= --root --zero-commit --suffix= --stat --no-stat --no-binary --full-index --no-signature',
    always: [{ kind: 'repository', change: 'stage', what: 'format-patch' }],
  },
  {
    names:
      'update-index|read-tree|write-tree|commit-tree|hash-object|mktree|mktag|pack-refs|repack|commit-graph|multi-pack-index|rerere|mailinfo|mailsplit|sparse-checkout|notes|bisect start|bisect good|bisect bad|bisect reset|bisect skip|bisect old|bisect new',
    operands: 'use*',
    options:
      '-q -m -a -w -t: -p: -d -l -A -f --refresh --add --remove --assume-unchanged --no-assume-unchanged --skip-worktree --no-skip-worktree --chmod= --stdin --message= --cone --all',
    always: [{ kind: 'repository', change: 'stage', what: 'plumbing' }],
  },
  {
    names:
      'prune|filter-branch|filter-repo|replace|update-ref|reflog expire|reflog delete|symbolic-ref|fast-import|unpack-objects|checkout-index|bisect replay|stash drop|stash clear|remote prune|worktree prune|submodule deinit|lfs prune|notes prune|notes remove|pack-redundant',
    operands: 'text*',
    options:
      '-d!destroy -f -n -q -m: -a -u: --stdin --all --prefix= --expire= --expire-unreachable= --delete --force --no-deref --index --rewrite --updateref --dry-run --msg-filter=shell --tree-filter=shell --index-filter=shell --env-filter=shell --parent-filter=shell --commit-filter=shell --tree=hidden --prune-empty --tag-name-filter=shell --short --path= --invert-paths',
    always: [
      { kind: 'repository', change: 'discard', what: 'removes objects, references or stashed work', risk: 'destroy' },
    ],
  },
  {
    names: 'apply|am',
    operands: 'use*',
    options:
      '-3 -R -p: -C: -v -q -s -k -u -z -i!open --check --stat --numstat --summary --apply --index --cached --3way --reverse --reject --unidiff-zero --whitespace= --directory= --exclude= --include= --recount --verbose --quiet --allow-empty --build-fake-ancestor=write --continue --skip --abort --quit --signoff --keep --keep-cr --no-verify!open --unsafe-paths!hidden --inaccurate-eof --intent-to-add',
  },
  {
    names: 'clone',
    operands: 'text*',
    options: `${network} -l -n -s -b: -c:hidden -u:hidden -j: --local --no-hardlinks --shared --reference=list --dissociate --no-checkout --bare --mirror --origin= --branch= --template=hidden --depth= --shallow-since= --single-branch --no-single-branch --tags --no-tags --recurse-submodules? --recursive --shallow-submodules --remote-submodules --jobs= --sparse --filter= --also-filter-submodules --config=hidden --separate-git-dir=open --bundle-uri= --revision=`,
  },
  {
    names:
      'submodule update|submodule init|submodule sync|submodule add|submodule set-url|submodule set-branch|submodule absorbgitdirs|lfs pull|lfs fetch|lfs install|lfs track|lfs push|lfs checkout',
    operands: 'text*',
    options:
      '-b: -f -q -j: --init --recursive --remote --force --quiet --merge --rebase --depth= --branch= --name= --reference= --jobs= --checkout --single-branch --local --include= --exclude= --all',
    always: [{ kind: 'repository', change: 'fetch', what: 'submodule' }],
  },
  {
    names: 'worktree add|worktree move|worktree lock|worktree unlock|worktree repair',
    operands: 'create text*',
    options:
      '-b: -B: -f -d --detach --checkout --no-checkout --lock --reason= --track --guess-remote --quiet -q --orphan',
    always: [{ kind: 'repository', change: 'branch', what: 'worktree' }],
  },
  {
    names: 'worktree remove',
    operands: 'delete-tree*',
    options: '-f --force',
    always: [{ kind: 'repository', change: 'discard', what: 'worktree' }],
  },
  {
    names:
      'remote add|remote set-url|remote rename|remote remove|remote rm|remote set-head|remote set-branches|remote update',
    operands: 'text*',
    options: '-t: -m: -f -a -d -p --tags --no-tags --mirror? --push --add --delete --auto --prune',
    always: [{ kind: 'repository', change: 'configure', what: 'remotes' }],
  },
  {
    names: 'credential|credential-store|credential-cache|credential-osxkeychain|credential-manager',
    operands: 'text*',
    options: '--file=',
    always: [{ kind: 'disclose', what: 'git credentials', risk: 'credentials' }],
  },
];

/** Words that with the next one name a subcommand. */
export const nestedSubcommands: readonly string[] = [
  'stash',
  'remote',
  'worktree',
  'submodule',
  'reflog',
  'notes',
  'bisect',
  'lfs',
  'sparse-checkout',
  'bundle',
  'tag',
  'branch',
  'config',
];
