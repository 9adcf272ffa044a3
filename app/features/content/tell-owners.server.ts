import type { Trx } from '#app/db/client.server.ts';
import { settingsChanged } from '#app/emails/accounts.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { permissionsNeeded } from './check-record.ts';
import type { Author, RecordKind, RecordValue } from './records.ts';
import { labelOf } from './words.ts';

type Changed = { kind: RecordKind; before: RecordValue | undefined; after: RecordValue; author: Author };

/**
 * Mails every owner, and the address of the academy before, that a setting was published which only owners may publish:
 * somebody who got into an owner's account cannot redirect mail or money in silence (P68).
 */
export async function tellOwners(trx: Trx, { kind, before, after, author }: Changed, moment: Moment): Promise<void> {
  if (kind !== 'site' || !before) return;
  const changed = permissionsNeeded(kind, { before, after }).get('settings:change') ?? [];
  if (changed.length === 0) return;
  const people = trx.selectFrom('people').select(['name', 'email']);
  const owners = await people
    .where('id', 'in', trx.selectFrom('staff_roles').select('person_id').where('role', '=', 'owner'))
    .execute();
  const by = typeof author === 'string' ? undefined : await people.where('id', '=', author.person).executeTakeFirst();
  const { academy, now } = moment;
  for (const to of new Set([...owners.map(({ email }) => email), String(before.email)])) {
    if (to === null) continue;
    await queueMail(trx, {
      kind: 'settings-changed',
      about: 'nothing',
      to,
      replyTo: academy.email,
      ...settingsChanged({
        changed: changed.map((name) => labelOf(kind, name)),
        by: by?.name ?? 'the program',
        when: formatMoment(now),
        link: `${academy.url}/staff/content/site`,
        academy,
      }),
    });
  }
}
