import { alnum, type Family, hex, hexExactly, uuid, word } from './rows.ts';

const base64Body = '[A-Za-z0-9+/=]{100,}';

/** Hosted databases and search. Connection strings are slots, not detectors. */
export const databases: Family = {
  tokens: [
    ['planetscale-token', 'pscale_tkn_', word(30)],
    ['planetscale-password', 'pscale_pw_', word(30)],
    ['planetscale-oauth', 'pscale_oauth_', word(30)],
    ['neon-key', 'napi_', alnum(40)],
    ['mongodb-atlas-secret', 'mdb_sa_sk_', word(30)],
    ['fauna-key', 'fnAE fnAF', word(35)],
    ['cockroach-key', 'CCDB1_', '[A-Za-z0-9]{16,30}_[A-Za-z0-9]{30,}'],
    ['xata-key', 'xau_', alnum(30)],
    ['elastic-cloud-key', 'essu_', word(50)],
    ['tinybird-token', 'p.eyJ', '[A-Za-z0-9_-]{20,400}\\.[A-Za-z0-9_-]{20,}'],
    ['aiven-token', 'aivenv1', base64Body],
    ['dbt-token', 'dbtc_ dbtu_ dbts_', word(30)],
    ['edgedb-key', 'nbwt1_', word(60)],
    ['nats-seed', 'SUA SAA SOA SCA SNA', '[A-Z2-7]{55}(?![A-Za-z0-9])'],
    ['mapbox-secret', 'sk.eyJ', '[A-Za-z0-9_-]{40,400}\\.[A-Za-z0-9_-]{20,}'],
    ['motherduck-token', 'md_token_', word(40)],
    ['convex-deploy-key', 'prod: dev:', '[a-z]{3,12}-[a-z]{3,12}-[0-9]{3}\\|([A-Za-z0-9+/=]{60,})'],
    ['contentful-token', 'CFPAT-', word(40)],
    ['airtable-token', 'pat', '[A-Za-z0-9]{14}\\.[a-f0-9]{64}'],
  ],
  assigned: [
    ['atlas-private-key', 'atlas mongodb_atlas', uuid],
    ['algolia-key', 'algolia', hexExactly(32)],
    ['upstash-token', 'upstash kv_rest', '[A-Za-z0-9+/=_-]{36,}'],
    ['airtable-key', 'airtable', 'key[A-Za-z0-9]{14}(?![A-Za-z0-9])'],
    ['confluent-secret', 'confluent', '[A-Za-z0-9+/]{64}(?![A-Za-z0-9+/])'],
    ['influx-token', 'influx', '[A-Za-z0-9_-]{86}=='],
    ['meilisearch-key', 'meili', '[A-Za-z0-9_-]{32,64}(?![A-Za-z0-9_-])'],
    ['hasura-secret', 'hasura', alnum(32)],
    ['clickhouse-secret', 'clickhouse', '4b1d[A-Za-z0-9]{38}'],
    ['typesense-key', 'typesense', alnum(32)],
    ['cassandra-astra-token', 'astra_db', 'AstraCS:[A-Za-z0-9]{24}:[a-f0-9]{64}'],
    ['turbopuffer-key', 'turbopuffer', hex(32)],
  ],
};
