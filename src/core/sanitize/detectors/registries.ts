import { alnum, type Family, hex, hexExactly, lowerExactly, word } from './rows.ts';

/** Package and image registries. */
export const registries: Family = {
  tokens: [
    ['npm-token', 'npm_', alnum(30)],
    ['pypi-token', 'pypi-AgE', word(30)],
    ['rubygems-key', 'rubygems_', hex(48)],
    ['nuget-key', 'oy2', '[a-z0-9]{43}(?![A-Za-z0-9_-])'],
    ['crates-token', 'cio', '[A-Za-z0-9]{32}(?![A-Za-z0-9_-])'],
    ['clojars-token', 'CLOJARS_', hex(60)],
    ['packagist-token', 'packagist_uut_ packagist_ort_ packagist_ack_', hex(30)],
    ['jsr-token', 'jsrp_ jsrd_', alnum(28)],
    ['deno-token', 'ddp_ ddw_ ddo_', alnum(36)],
    ['prefix-dev-key', 'pfx_', alnum(30)],
    ['docker-pat', 'dckr_pat_', word(20)],
    ['docker-org-token', 'dckr_oat_', word(20)],
    ['jfrog-key', 'AKCp', alnum(60)],
    ['jfrog-reference-token', 'cmVmd', alnum(56)],
    ['hex-pm-key', 'hexpm_', hex(32)],
    ['cloudsmith-key', 'csa_', hex(37)],
    ['gemfury-token', 'gemfury_', alnum(20)],
    ['anaconda-token', 'conda_', alnum(32)],
    ['chainguard-token', 'cgr_', word(36)],
  ],
  assigned: [
    ['artifactory-key', 'artifactory jfrog', '[A-Za-z0-9]{64,73}(?![A-Za-z0-9])'],
    ['quay-token', 'quay', '[A-Z0-9]{40,64}(?![A-Za-z0-9])'],
    ['hackage-token', 'hackage', hexExactly(64)],
    ['codeartifact-token', 'codeartifact', '[A-Za-z0-9+/=_.-]{100,}'],
    ['pkgcloud-token', 'packagecloud', hexExactly(48)],
    ['expo-token', 'expo', word(40)],
    ['gradle-key', 'gradle_publish', lowerExactly(32)],
  ],
};
