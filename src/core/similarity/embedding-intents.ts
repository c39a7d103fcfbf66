/** One thing people want done, and the ways to ask for it. */
export interface IntentRow {
  readonly intent: string;
  /** Set where the ways are interchangeable: they count as one command that goes by several names. */
  readonly same?: string;
  /** Programs, or programs with their subcommands, separated by commas. */
  readonly heads: string;
}

/** What known commands are for. Facts about public tools; a command that is not here is its own intent. */
export const intentRows: readonly IntentRow[] = [
  {
    intent: 'run-tests',
    same: 'script test',
    heads: 'npm test, npm t, npm run test, yarn test, yarn run test, pnpm test, pnpm t, pnpm run test, bun run test',
  },
  { intent: 'run-tests', same: 'pytest', heads: 'pytest, py.test' },
  {
    intent: 'run-tests',
    heads:
      'tox, nox, jest, vitest, mocha, ava, karma, cypress run, playwright test, bun test, deno test, node --test, cargo test, cargo nextest, go test, gotestsum, mvn test, mvn verify, gradle test, gradlew test, gradle check, gradlew check, make test, make check, just test, task test, ctest, meson test, dotnet test, rspec, rake test, rails test, minitest, phpunit, pest, composer test, mix test, sbt test, lein test, swift test, zig test, flutter test, dart test, bazel test, nx test, turbo test, bats, ng test, stack test, cabal test, dune test, julia test, prove, unittest',
  },
  {
    intent: 'install-dependencies',
    same: 'script install',
    heads: 'npm install, npm i, yarn install, pnpm install, pnpm i, bun install, yarn',
  },
  { intent: 'install-dependencies', heads: 'npm ci, npm clean-install' },
  {
    intent: 'install-dependencies',
    heads:
      'npm add, yarn add, pnpm add, bun add, pip install, pip3 install, pipx install, uv sync, uv add, uv pip, poetry install, poetry add, pipenv install, conda install, mamba install, cargo add, cargo install, cargo fetch, go get, go install, go mod, bundle install, bundle, gem install, composer install, composer require, mix deps.get, apt install, apt-get install, apt update, apt-get update, brew install, dnf install, yum install, apk add, pacman, dotnet restore, nuget, mvn dependency:resolve, swift package, pub get, flutter pub, dart pub, npx playwright install',
  },
  {
    intent: 'remove-dependencies',
    heads:
      'npm uninstall, npm remove, yarn remove, pnpm remove, bun remove, pip uninstall, cargo remove, poetry remove, uv remove, apt remove, apt-get remove, brew uninstall, gem uninstall, composer remove',
  },
  {
    intent: 'update-dependencies',
    heads:
      'npm update, npm audit, yarn upgrade, yarn up, pnpm update, pnpm audit, cargo update, cargo audit, pip-audit, poetry update, uv lock, bundle update, composer update, brew upgrade, apt upgrade, apt-get upgrade, npm outdated, yarn outdated, pnpm outdated',
  },
  {
    intent: 'list-dependencies',
    heads:
      'npm ls, npm list, npm view, npm info, npm show, yarn list, yarn why, pnpm ls, pnpm list, pnpm why, pip list, pip show, pip freeze, cargo tree, cargo metadata, go list, gem list, composer show, poetry show, brew list, apt list',
  },
  {
    intent: 'build',
    same: 'script build',
    heads: 'npm run build, yarn build, yarn run build, pnpm build, pnpm run build, bun run build',
  },
  {
    intent: 'build',
    heads:
      'make, make build, make all, cmake, ninja, meson compile, cargo build, cargo check, go build, go vet, go generate, mvn compile, mvn package, mvn install, gradle build, gradlew build, gradle assemble, gradlew assemble, dotnet build, dotnet publish, webpack, rollup, esbuild, vite build, next build, nuxt build, astro build, turbo build, nx build, bazel build, swift build, zig build, mix compile, sbt compile, stack build, cabal build, dune build, gcc, g++, clang, clang++, rustc, javac, tsup, parcel build, ng build, flutter build, docker build, docker buildx, just build, task build, wasm-pack build, poetry build, uv build, hugo, mkdocs build, xcodebuild',
  },
  {
    intent: 'typecheck',
    same: 'script typecheck',
    heads:
      'npm run typecheck, npm run type-check, yarn typecheck, pnpm typecheck, pnpm run typecheck, bun run typecheck',
  },
  { intent: 'typecheck', heads: 'tsc, vue-tsc, mypy, pyright, pytype, flow check, flow, svelte-check' },
  {
    intent: 'lint',
    same: 'script lint',
    heads: 'npm run lint, yarn lint, yarn run lint, pnpm lint, pnpm run lint, bun run lint',
  },
  {
    intent: 'lint',
    heads:
      'eslint, biome lint, biome check, biome ci, oxlint, stylelint, tslint, pylint, flake8, ruff, ruff check, golangci-lint, staticcheck, cargo clippy, rubocop, shellcheck, hadolint, yamllint, markdownlint, actionlint, ktlint, checkstyle, phpstan, psalm, credo, mix credo, swiftlint, make lint, just lint, knip, depcruise, pre-commit, standard, xo, semgrep, bandit',
  },
  {
    intent: 'format',
    same: 'script format',
    heads: 'npm run format, npm run fmt, yarn format, pnpm format, pnpm run format, bun run format',
  },
  {
    intent: 'format',
    heads:
      'prettier, biome format, black, isort, ruff format, autopep8, yapf, gofmt, goimports, go fmt, cargo fmt, rustfmt, clang-format, shfmt, terraform fmt, mix format, dart format, dotnet format, swift-format, ktfmt, make format, make fmt, just fmt, zig fmt, standardrb',
  },
  {
    intent: 'start-server',
    same: 'script start',
    heads: 'npm start, npm run start, yarn start, pnpm start, bun run start',
  },
  {
    intent: 'start-server',
    same: 'script dev',
    heads: 'npm run dev, yarn dev, yarn run dev, pnpm dev, pnpm run dev, bun run dev',
  },
  {
    intent: 'start-server',
    heads:
      'vite, vite dev, vite preview, next dev, next start, nuxt dev, astro dev, ng serve, flask run, uvicorn, gunicorn, hypercorn, django-admin runserver, rails server, rails s, php artisan, serve, http-server, cargo run, go run, dotnet run, mix phx.server, webpack serve, nodemon, make run, make dev, make start, make serve, storybook dev, wrangler dev, jekyll serve, hugo server, mkdocs serve',
  },
  {
    intent: 'version-control-read',
    heads:
      'git status, git diff, git log, git show, git blame, git branch, git ls-files, git ls-tree, git ls-remote, git rev-parse, git rev-list, git describe, git shortlog, git grep, git remote, git reflog, git cat-file, git merge-base, git name-rev, git for-each-ref, git symbolic-ref, git show-ref, git cherry, git whatchanged, git count-objects, git check-ignore, git var, git config, git worktree, git tag, git stash, git diff-tree, git range-diff, hg status, hg log, hg diff, svn status, svn log, svn diff, jj log, jj status, jj diff',
  },
  {
    intent: 'version-control-stage',
    heads: 'git add, git restore, git rm, git mv, git apply, git am, hg add, svn add',
  },
  {
    intent: 'version-control-write',
    heads:
      'git commit, git checkout, git switch, git merge, git cherry-pick, git revert, git init, hg commit, svn commit, jj commit, jj describe, jj new',
  },
  {
    intent: 'version-control-rewrite',
    heads:
      'git reset, git rebase, git clean, git filter-branch, git filter-repo, git gc, git prune, git update-ref, git reflog expire, hg strip',
  },
  {
    intent: 'version-control-fetch',
    heads: 'git fetch, git pull, git clone, git submodule, hg pull, svn update, svn checkout',
  },
  { intent: 'version-control-publish', heads: 'git push, hg push, svn ci, jj git' },
  {
    intent: 'forge-read',
    heads:
      'gh pr view, gh pr list, gh pr diff, gh pr checks, gh pr status, gh issue view, gh issue list, gh issue status, gh run view, gh run list, gh run watch, gh repo view, gh release list, gh release view, gh search, gh workflow list, glab mr view, glab mr list, glab issue list, gh auth status',
  },
  {
    intent: 'forge-write',
    heads:
      'gh pr create, gh pr merge, gh pr close, gh pr comment, gh pr edit, gh pr review, gh issue create, gh issue close, gh issue comment, gh issue edit, gh release create, gh workflow run, gh run rerun, gh repo create, glab mr create, glab mr merge, glab issue create',
  },
  { intent: 'forge-api', heads: 'gh api, glab api' },
  { intent: 'view-file', same: 'page', heads: 'cat, less, more, bat, batcat, most, view' },
  {
    intent: 'view-file',
    heads: 'head, tail, nl, tac, xxd, hexdump, od, strings, column, jq, yq, fold, zcat, zless, glow',
  },
  { intent: 'list', same: 'list directory', heads: 'ls, exa, eza, lsd, dir' },
  {
    intent: 'list',
    heads: 'tree, find, fd, fdfind, locate, du, stat, file, wc, realpath, readlink, basename, dirname',
  },
  { intent: 'search', same: 'search text', heads: 'grep, egrep, fgrep, rg, ag, ack' },
  { intent: 'search', heads: 'sift, ugrep, ast-grep, zgrep' },
  {
    intent: 'filter-text',
    heads:
      'sed, awk, gawk, cut, sort, uniq, tr, paste, comm, diff, cmp, join, rev, tsort, shuf, expand, fmt, csvcut, mlr',
  },
  { intent: 'delete', heads: 'rm, rmdir, unlink, shred, trash, srm, trash-put' },
  { intent: 'create-directory', same: 'create directory', heads: 'mkdir, md' },
  { intent: 'create-file', heads: 'touch, mktemp, truncate, tee, dd, install, fallocate' },
  { intent: 'copy-files', heads: 'cp, rsync, ln, scp' },
  { intent: 'move-files', heads: 'mv, rename' },
  { intent: 'permissions', heads: 'chmod, chown, chgrp, setfacl, umask, chattr' },
  { intent: 'archive', heads: 'tar, zip, unzip, gzip, gunzip, xz, unxz, bzip2, bunzip2, zstd, 7z, 7za' },
  { intent: 'fetch', heads: 'curl, wget, http, https, xh, aria2c, httpie' },
  {
    intent: 'network-look',
    heads: 'ping, dig, nslookup, host, traceroute, netstat, ss, lsof, ip, ifconfig, nc, telnet, whois',
  },
  { intent: 'remote-shell', heads: 'ssh, sftp, mosh' },
  {
    intent: 'container-look',
    heads:
      'docker ps, docker images, docker logs, docker inspect, docker stats, docker compose ps, docker compose logs, docker compose config, docker version, docker info, docker network ls, docker volume ls, podman ps, podman images, podman logs',
  },
  {
    intent: 'container-start',
    heads:
      'docker run, docker start, docker restart, docker compose up, docker compose start, docker compose restart, docker compose run, podman run, podman start, podman-compose up',
  },
  { intent: 'container-execute', heads: 'docker exec, docker compose exec, docker attach, podman exec' },
  {
    intent: 'container-stop',
    heads:
      'docker stop, docker kill, docker rm, docker rmi, docker compose down, docker compose stop, docker compose rm, docker system prune, docker volume rm, docker image prune, docker container prune, podman stop, podman rm',
  },
  { intent: 'container-publish', heads: 'docker push, docker login, docker tag, podman push' },
  {
    intent: 'container-fetch',
    heads: 'docker pull, docker compose pull, docker compose build, podman pull, podman build',
  },
  {
    intent: 'cluster-look',
    heads:
      'kubectl get, kubectl describe, kubectl logs, kubectl top, kubectl explain, kubectl api-resources, kubectl diff, helm list, helm status, helm template, k9s',
  },
  {
    intent: 'cluster-change',
    heads:
      'kubectl apply, kubectl create, kubectl patch, kubectl scale, kubectl rollout, kubectl edit, kubectl set, kubectl label, kubectl annotate, helm install, helm upgrade, kustomize',
  },
  { intent: 'cluster-delete', heads: 'kubectl delete, kubectl drain, kubectl cordon, helm uninstall, helm rollback' },
  { intent: 'cluster-execute', heads: 'kubectl exec, kubectl run, kubectl port-forward, kubectl cp, kubectl attach' },
  {
    intent: 'infrastructure-look',
    heads:
      'terraform plan, terraform show, terraform validate, terraform output, tofu plan, pulumi preview, cdk diff, cdk synth, ansible-lint',
  },
  {
    intent: 'infrastructure-change',
    heads: 'terraform apply, tofu apply, pulumi up, cdk deploy, ansible-playbook, terraform import',
  },
  { intent: 'infrastructure-destroy', heads: 'terraform destroy, tofu destroy, pulumi destroy, cdk destroy' },
  {
    intent: 'deploy',
    heads:
      'vercel, vercel deploy, netlify deploy, fly deploy, flyctl deploy, firebase deploy, wrangler deploy, wrangler publish, heroku, serverless deploy, sls deploy, eb deploy, gcloud app, surge, make deploy, npm run deploy, yarn deploy, pnpm deploy, cap',
  },
  {
    intent: 'publish-package',
    heads:
      'npm publish, yarn publish, yarn npm publish, pnpm publish, cargo publish, twine upload, poetry publish, uv publish, gem push, dotnet nuget, mvn deploy, flutter pub publish',
  },
  {
    intent: 'database',
    heads:
      'psql, mysql, sqlite3, mongosh, mongo, redis-cli, pg_dump, pg_restore, mysqldump, duckdb, sqlcmd, clickhouse-client',
  },
  {
    intent: 'database-migrate',
    heads:
      'prisma migrate, prisma db, prisma generate, alembic, rails db:migrate, rake db:migrate, knex, sequelize, typeorm, drizzle-kit, flyway, liquibase, diesel, sqlx, dbmate, goose',
  },
  {
    intent: 'run-code',
    heads:
      'node, deno, deno run, bun, bun run, python, ruby, perl, php, lua, Rscript, julia, java, tsx, ts-node, bash, sh, zsh, fish, dash, ksh, pwsh, elixir, irb, ipython, osascript',
  },
  {
    intent: 'print',
    heads:
      'echo, printf, pwd, whoami, id, date, hostname, uname, env, printenv, which, type, whereis, uptime, cal, locale, groups, tty, true, false, yes, seq, expr, history, man, help',
  },
  { intent: 'change-directory', heads: 'cd, pushd, popd' },
  { intent: 'wait', heads: 'sleep, wait, watch' },
  { intent: 'process-look', heads: 'ps, top, htop, pgrep, free, df, vmstat, jobs, pstree, dmesg, journalctl' },
  { intent: 'process-stop', heads: 'kill, pkill, killall' },
  { intent: 'service', heads: 'systemctl, service, launchctl, supervisorctl, pm2, brew services' },
  {
    intent: 'shell-state',
    heads:
      'export, unset, set, source, ., alias, unalias, shopt, ulimit, trap, eval, exec, read, local, declare, test, [, [[, shift, return, exit, break, continue',
  },
  {
    intent: 'coverage',
    same: 'script coverage',
    heads: 'npm run coverage, npm run test:coverage, yarn coverage, pnpm coverage',
  },
  { intent: 'coverage', heads: 'coverage, nyc, c8, cargo tarpaulin, cargo llvm-cov' },
  { intent: 'checksum', heads: 'sha256sum, sha1sum, md5sum, shasum, cksum, b2sum, base64, openssl' },
  {
    intent: 'scaffold',
    heads:
      'npm init, npm create, yarn create, pnpm create, pnpm init, cargo new, cargo init, go mod init, django-admin startproject, rails new, rails generate, ng generate, ng new, dotnet new, poetry new, uv init',
  },
  { intent: 'edit-file', heads: 'vim, vi, nvim, nano, emacs, code, ed, patch' },
  { intent: 'media', heads: 'ffmpeg, ffprobe, convert, magick, sox, pandoc' },
];

/** What the tools of agents are for that take no shell text. */
export const toolIntents: Readonly<Record<string, string>> = {
  Read: 'view-file',
  Write: 'edit-file',
  Grep: 'search',
  Glob: 'list',
  LS: 'list',
  WebFetch: 'fetch',
  WebSearch: 'fetch',
};
