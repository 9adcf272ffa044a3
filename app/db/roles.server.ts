import { sql } from 'kysely';
import type { Db } from './client.server.ts';
import { lockNumbers } from './lock-numbers.ts';

type Kind = 'tables' | 'sequences';
type Lacking = { schema: string; name: string; kind: Kind; wanted: string[] };

/**
 * Lets the role of the program read and write what the role that asks owns, in the program's schema and its queue's;
 * tables of later migrations too. To the ledger of XP (P62) and every table whose name begins with `audit_` (P69) it
 * may only add, and read it. Changes nothing when all of this is so already. PostgreSQL before 17 cannot let anybody
 * but the owner rewrite a table.
 */
export async function grantToProgram(owner: Db, program: string): Promise<void> {
  await owner.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${lockNumbers.grants})`.execute(trx);
    const role = sql.id(program);
    for (const schema of await lackingSchemas(trx, program)) {
      await sql`grant usage on schema ${sql.id(schema)} to ${role}`.execute(trx);
    }
    for (const { schema, kind, wanted } of await lackingDefaults(trx, program)) {
      const privileges = sql.raw(wanted.join(', '));
      await sql`alter default privileges in schema ${sql.id(schema)}
        grant ${privileges} on ${sql.raw(kind)} to ${role}`.execute(trx);
    }
    for (const { schema, name, kind, wanted } of await lackingRelations(trx, program)) {
      const relation = sql`${sql.raw(kind === 'tables' ? 'table' : 'sequence')} ${sql.id(schema, name)}`;
      await sql`revoke all on ${relation} from ${role}`.execute(trx);
      await sql`grant ${sql.raw(wanted.join(', '))} on ${relation} to ${role}`.execute(trx);
    }
    await grantStatistics(trx, program);
  });
}

/** Whether the role of these connections could change the audit tables, because it owns them or is a superuser. */
export async function ownsHistory(db: Db): Promise<boolean> {
  const { rows } = await sql<{ owns: boolean }>`
    select rolsuper or pg_has_role(relowner, 'MEMBER') as owns from pg_roles, pg_class
    where rolname = current_user and pg_class.oid = 'audit_entries'::regclass`.execute(db);
  return rows[0]?.owns === true;
}

const schemas = sql`(current_schema(), 'pgboss')`;
// In the order of the alphabet, as they are compared.
const ofSequence = sql`array['SELECT', 'USAGE']`;
const ofTable = sql`case when current_setting('server_version_num')::integer < 170000
  then array['DELETE', 'INSERT', 'SELECT', 'UPDATE'] else array['DELETE', 'INSERT', 'MAINTAIN', 'SELECT', 'UPDATE'] end`;

const oidOf = (role: string) => sql`(select oid from pg_roles where rolname = ${role})`;

/** The privileges that an access list gives to a role by name. */
const given = (list: string, program: string) => sql`array(
  select privilege_type from aclexplode(${sql.ref(list)}) where grantee = ${oidOf(program)} order by privilege_type)`;

async function lackingSchemas(trx: Db, program: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_namespace
    where nspname in ${schemas} and not has_schema_privilege(${program}, oid, 'USAGE')`.execute(trx);
  return rows.map(({ name }) => name);
}

async function lackingDefaults(trx: Db, program: string): Promise<Omit<Lacking, 'name'>[]> {
  const { rows } = await sql<Omit<Lacking, 'name'>>`
    select nspname as schema, kind, wanted
    from pg_namespace
      cross join (values ('r', 'tables', ${ofTable}), ('S', 'sequences', ${ofSequence})) as of (type, kind, wanted)
      left join pg_default_acl on defaclnamespace = pg_namespace.oid and defaclobjtype::text = of.type
        and defaclrole = (select oid from pg_roles where rolname = current_user)
    where nspname in ${schemas} and wanted <> ${given('defaclacl', program)}`.execute(trx);
  return rows;
}

async function lackingRelations(trx: Db, program: string): Promise<Lacking[]> {
  const { rows } = await sql<Lacking>`
    select * from (
      select nspname as schema, relname as name, case relkind when 'S' then 'sequences' else 'tables' end as kind,
        case when relkind = 'S' then ${ofSequence}
          when relname like 'audit\\_%' or relname = 'xp_entries' then array['INSERT', 'SELECT'] else ${ofTable} end as wanted,
        ${given('relacl', program)} as given
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname in ${schemas} and relkind in ('r', 'p', 'v', 'S')
        and pg_has_role(relowner, 'USAGE') and relowner <> ${oidOf(program)}
    ) as relation
    where wanted <> given`.execute(trx);
  return rows;
}

/** Rights for rewriting tables that only a superuser can grant: to see who still reads a table, and its samples. */
async function grantStatistics(trx: Db, program: string): Promise<void> {
  const { rows } = await sql<{ can: boolean }>`
    select case when current_setting('is_superuser')::boolean and current_setting('server_version_num')::integer >= 170000
      then not pg_has_role(${program}, 'pg_read_all_stats', 'MEMBER')
        or not has_table_privilege(${program}, 'pg_catalog.pg_statistic', 'MAINTAIN')
      else false end as can`.execute(trx);
  if (!rows[0]?.can) return;
  await sql`grant pg_read_all_stats to ${sql.id(program)}`.execute(trx);
  await sql`grant maintain on pg_catalog.pg_statistic to ${sql.id(program)}`.execute(trx);
}
