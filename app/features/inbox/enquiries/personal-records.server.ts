import type { Db } from '#app/db/client.server.ts';
import type { HeldPerson, PersonalRecords } from '#app/db/personal-records.server.ts';
import { eraseMailsAbout } from '#app/outbox/erase-mail.server.ts';
import { mailFile } from '#app/outbox/transport.server.ts';
import { enquiryTables } from './erase.server.ts';

/**
 * Enquiries, with their corrections and the enquiries that they correct: all came from the same form. Emails that a
 * person sent with another address for answers are theirs too, but not the answers.
 */
export const enquiryRecords: PersonalRecords = {
  name: 'enquiries',
  tables: enquiryTables,
  async read(db, person) {
    const answeredElsewhere = new Set(await idsOfSent(db, person));
    const rows = await db
      .selectFrom('enquiries')
      .selectAll()
      .where('reference', 'in', await referencesOf(db, person))
      .orderBy('id')
      .execute();
    const acts = await db
      .selectFrom('enquiry_acts')
      .innerJoin('people', 'people.id', 'person_id')
      .select(['enquiry_id', 'kind', 'body', 'state', 'enquiry_acts.created_at', 'people.name as by'])
      .where('enquiry_id', 'in', [0, ...rows.map(({ id }) => id)])
      .orderBy('enquiry_acts.id')
      .execute();
    const emails = await db
      .selectFrom('inbound_emails')
      .select(['enquiry_id', 'subject', 'sender', 'files', 'source'])
      .where('enquiry_id', 'in', [0, ...rows.map(({ id }) => id)])
      .execute();
    return rows.map(({ id, person_id: _, idempotency_key: __, body_hash: ___, words: ____, ...row }) => ({
      ...row,
      acts: acts
        .filter(({ enquiry_id }) => enquiry_id === id && !answeredElsewhere.has(id))
        .map(({ enquiry_id: _____, ...act }) => act),
      ...emailOf(emails.find(({ enquiry_id }) => enquiry_id === id)),
    }));
  },
  async erase(trx, person) {
    const references = await referencesOf(trx, person);
    const rows = await trx
      .deleteFrom('enquiries')
      .where('reference', 'in', references)
      .returning(['id', 'person_id'])
      .execute();
    const ids = rows.map(({ id }) => id);
    const mails = await eraseMailsAbout(trx, 'enquiry', ids);
    // A correction may name another address.
    return { count: ids.length, files: mails.map(mailFile), named: rows.flatMap(({ person_id }) => person_id ?? []) };
  },
};

/** An email with all that came with it; its source as mail programs read it, in base64. */
function emailOf(email: { subject: string; sender: string | null; files: unknown; source: Buffer } | undefined) {
  if (!email) return {};
  const { subject, sender, files, source } = email;
  return { email: { subject, sender, files, source: source.toString('base64') } };
}

async function referencesOf(db: Db, person: HeldPerson): Promise<string[]> {
  const own = await db
    .selectFrom('enquiries')
    .select(['reference', 'corrects'])
    .where('person_id', '=', person.id)
    .execute();
  const firsts = own.map(({ reference, corrects }) => corrects ?? reference);
  const sent = await idsOfSent(db, person);
  const all = await db
    .selectFrom('enquiries')
    .select('reference')
    .where((row) =>
      row.or([
        row('reference', 'in', ['', ...firsts]),
        row('corrects', 'in', ['', ...firsts]),
        row('id', 'in', [0, ...sent]),
      ]),
    )
    .execute();
  return ['', ...all.map(({ reference }) => reference)];
}

/** The enquiries by email that a person sent from one of their addresses and whose answers go to another person. */
async function idsOfSent(db: Db, { id, addresses }: HeldPerson): Promise<number[]> {
  const rows = await db
    .selectFrom('inbound_emails')
    .innerJoin('enquiries', 'enquiries.id', 'enquiry_id')
    .select('enquiries.id')
    .where((row) => row(row.fn<string>('lower', ['sender']), 'in', [...addresses]))
    .where('person_id', 'is distinct from', id)
    .execute();
  return rows.map((row) => row.id);
}
