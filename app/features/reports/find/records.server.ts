import { sql } from 'kysely';
import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { offerName } from '#app/features/companies/rules.ts';
import { listOffers, listOrganisations } from '#app/features/companies/staff-queries.server.ts';
import { kindLabels } from '#app/features/inbox/enquiries/inbox.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { readPeopleRows } from '#app/features/people/people-list.server.ts';
import { formatAbn } from '#app/lib/abn.ts';
import { beginsAll } from '#app/lib/beginnings.ts';
import { type Day, formatDays } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { shownPhone } from '#app/lib/phone-number.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { type Found, mostShown } from './found.ts';
import type { Search } from './search.ts';
import { enrolmentsWith, type Naming } from './words.server.ts';

const parts = (...texts: readonly (string | null | undefined)[]) => texts.filter((text) => text).join(', ');
const newest = (ids: readonly number[], count: number) => [...new Set(ids)].sort((a, b) => b - a).slice(0, count);

/** Ids of the enrolments that a search finds, the newest first: by their words, their number, the buyer's telephone. */
export async function enrolmentIds(db: Db, actor: StaffActor, search: Search, naming: readonly Naming[]) {
  requirePermission(actor, 'enrolments:read');
  const ids = search.phone === null ? await enrolmentsWith(db, search) : [];
  if (search.reference) {
    const row = db.selectFrom('enrolments').select('id').where('reference', '=', search.reference);
    ids.push(...(await row.execute()).map(({ id }) => id));
  }
  if (search.phone !== null) ids.push(...naming.filter(({ source }) => source === 'enrolments').map(({ id }) => id));
  return newest(ids, ids.length);
}

/** The first enrolments of these, with an attendee of them who was meant. */
export async function enrolmentRows(
  db: Db,
  actor: StaffActor,
  ids: readonly number[],
  words: readonly string[],
): Promise<Found[]> {
  requirePermission(actor, 'enrolments:read');
  const { rows } = await sql<{
    reference: string;
    title: string;
    name: string;
    organisation: string | null;
    starts_on: Day | null;
    attendees: string[];
  }>`select reference, title, buyer_name as name, organisation, nullif(starts_on, 'infinity') as starts_on,
      array(select name from attendees where enrolment_id = enrolments.id and name is not null order by id limit 100)
        as attendees
    from enrolments left join enrolment_list on enrolment_id = enrolments.id
    where enrolments.id = any(${ids.slice(0, mostShown)}::bigint[]) order by enrolments.id desc`.execute(db);
  return rows.map(({ reference, title, name, organisation, starts_on, attendees }) => {
    const meant = attendees.filter((one) => one !== name && words.some((typed) => beginsAll(one, [typed])));
    return {
      to: href('/staff/enrolments/:reference', { reference }),
      text: organisation ?? name,
      line: parts(meant[0], organisation && name, title, starts_on && formatDays(starts_on, starts_on)),
      end: reference,
    };
  });
}

/** The people of these records, the newest first. */
export async function people(db: Db, actor: StaffActor, naming: readonly Naming[]): Promise<Found[]> {
  requirePermission(actor, 'people:read');
  const ids = newest(
    naming.map(({ personId }) => personId),
    mostShown + 1,
  );
  const rows = await readPeopleRows(db, ids);
  return rows.map(({ id, name, email, phone, organisation, bought, attends }) => ({
    to: href('/staff/people/:id', { id: String(id) }),
    text: name ?? 'No name',
    line: parts(email, shownPhone(phone), organisation),
    end: bought > 0 ? counted(bought, 'enrolment') : attends > 0 ? `attends ${counted(attends, 'course')}` : '',
  }));
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

/** Tax invoices and adjustment notes by their number, those of enrolments that were found, and invoices by their total. */
export async function documents(
  db: Db,
  actor: StaffActor,
  { number, cents }: Search,
  enrolments: readonly number[],
): Promise<Found[]> {
  requirePermission(actor, 'money:read');
  const ids = enrolments.slice(0, 50);
  const numbered = (only: 'invoice' | 'note') => {
    if (!number || (number.only !== null && number.only !== only)) return sql<boolean>`false`;
    const [from, until] = [number.digits.padEnd(5, '0'), number.digits.padEnd(5, '9')];
    return sql<boolean>`(number = ${Number(number.digits)} or number between ${Number(from)} and ${Number(until)})`;
  };
  const shown = sql`facts ->> 'number' as number, facts -> 'buyer' ->> 'name' as name,
    facts -> 'buyer' ->> 'organisation' as organisation, facts ->> 'enrolment' as enrolment, total_cents, created_at`;
  // Without an amount nobody reads all invoices for it.
  const priced = cents === null ? sql<boolean>`false` : sql<boolean>`total_cents = ${cents}`;
  // Each half by an index of its own; an "or" of both would read the whole table.
  const { rows } = await sql<{
    kind: 'tax-invoice' | 'adjustment-note';
    id: number;
    number: string;
    name: string;
    organisation: string | null;
    enrolment: string;
    total_cents: number;
  }>`select * from (
      (select 'tax-invoice' as kind, id, ${shown} from tax_invoices where ${numbered('invoice')}
        order by tax_invoices.number limit ${mostShown + 1})
      union
      (select 'tax-invoice', id, ${shown} from tax_invoices where enrolment_id = any(${ids}::bigint[])
        order by tax_invoices.number desc limit ${mostShown + 1})
      union
      (select 'adjustment-note', id, ${shown} from adjustment_notes where ${numbered('note')}
        order by adjustment_notes.number limit ${mostShown + 1})
      union
      (select 'adjustment-note', id, ${shown} from adjustment_notes where tax_invoice_id in (
          select id from tax_invoices where enrolment_id = any(${ids}::bigint[]))
        order by adjustment_notes.number desc limit ${mostShown + 1})
      union
      (select 'tax-invoice', id, ${shown} from tax_invoices where ${priced}
        order by tax_invoices.number desc limit ${mostShown + 1})
    ) as found order by created_at desc, kind desc limit ${mostShown + 1}`.execute(db);
  return rows.map(({ kind, id, number: its, name, organisation, enrolment, total_cents }) => ({
    to: href('/staff/documents/:kind/:id', { kind, id: String(id) }),
    text: its,
    line: parts(organisation, name, enrolment, kind === 'tax-invoice' ? 'tax invoice' : 'adjustment note'),
    end: formatExact(total_cents),
    file: true,
  }));
}

/** Payments of an amount, the latest first, and enrolments that owe it. */
export async function paymentsOf(db: Db, actor: StaffActor, { cents }: Search): Promise<Found[]> {
  requirePermission(actor, 'money:read');
  if (cents === null) return [];
  const { rows } = await sql<{
    id: number | null;
    reference: string | null;
    who: string | null;
    title: string | null;
    words: string | null;
    received_on: Day | null;
  }>`(select payments.id, reference, coalesce(organisation, buyer_name) as who, title, words, received_on
      from payments left join enrolments on enrolments.id = enrolment_id
      where ${cents} in (amount_cents, arrived_cents) order by received_on desc, payments.id desc limit ${mostShown})
    union all
    (select null, reference, coalesce(organisation, buyer_name), title, null, null
      from enrolment_list join enrolments on enrolments.id = enrolment_id
      where balance_cents = ${cents} order by enrolment_id desc limit ${mostShown})`.execute(db);
  return rows.map(({ id, reference, who, title, words, received_on }) => ({
    to:
      id === null
        ? href('/staff/enrolments/:reference', { reference: reference ?? '' })
        : href('/staff/payments/:id', { id: String(id) }),
    text: who ?? words ?? 'Without words',
    line: parts(received_on ? `paid ${formatDays(received_on, received_on)}` : 'still owes it', title, reference),
    end: formatExact(cents),
  }));
}

/** Messages by who sent them, or by their number. */
export async function enquiries(
  db: Db,
  actor: StaffActor,
  { reference }: Search,
  naming: readonly Naming[],
): Promise<Found[]> {
  requirePermission(actor, 'enquiries:read');
  const ids = newest(
    naming.filter(({ source }) => source === 'enquiries').map(({ id }) => id),
    mostShown + 1,
  );
  const rows = await db
    .selectFrom('enquiries')
    .select(['reference', 'kind', 'first_name', 'last_name', 'email', 'created_at'])
    .where((where) =>
      where.or([
        where('id', '=', where.fn.any(sql<number[]>`${ids}::bigint[]`)),
        where('reference', '=', reference ?? ''),
      ]),
    )
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({
    to: href('/staff/enquiries/:reference', { reference: row.reference }),
    text: parts(`${row.first_name} ${row.last_name}`),
    line: parts(row.email, kindLabels[row.kind as keyof typeof kindLabels], formatMoment(row.created_at)),
    end: row.reference,
  }));
}

/** Organisations by their name or ABN (P118). */
export async function organisations(db: Db, actor: StaffActor, typed: string): Promise<Found[]> {
  const rows = await listOrganisations(db, actor, typed);
  return rows.slice(0, mostShown + 1).map(({ id, legal_name, trading_name, abn }) => ({
    to: href('/staff/organisations/:id', { id: String(id) }),
    text: trading_name ?? legal_name,
    line: parts(trading_name && legal_name, abn && `ABN ${formatAbn(abn)}`),
    end: '',
  }));
}

/** Quotes by their number, or by whom they are for (P118). */
export async function quotes(db: Db, actor: StaffActor, typed: string): Promise<Found[]> {
  const rows = await listOffers(db, actor, { tab: 'all', search: typed, most: mostShown + 1 });
  return rows.map(({ id, number, version, state, name, organisation, titles, total_cents }) => ({
    to: href('/staff/offers/:id', { id: String(id) }),
    text: number === null ? 'Draft' : offerName(number, version),
    line: parts(organisation, name, titles, state),
    end: formatExact(total_cents),
  }));
}
