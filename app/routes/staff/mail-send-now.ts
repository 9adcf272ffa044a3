import { href, redirect } from 'react-router';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { sendWaitingNow } from '#app/outbox/waiting-mail.server.ts';
import type { Route } from './+types/mail-send-now';

export function loader({ context }: Route.LoaderArgs) {
  staffFor(context, 'mail:read');
  throw redirect(href('/staff/mail'));
}

/** Tries mails that wait at once: the one named, or all. */
export async function action({ context, request }: Route.ActionArgs) {
  const actor = staffFor(context, 'mail:send');
  const { db, forms } = context.get(academyContext);
  const named = String((await readForm(request))?.get('mail') ?? '');
  const mailId = named === '' ? null : named;
  await orAway(() =>
    db.transaction().execute(async (trx) => {
      await sendWaitingNow(trx, mailId);
      await writeAuditEntry(trx, {
        at: forms.trueNow(),
        personId: actor.person.id,
        action: 'send-now',
        subject: mailId === null ? 'mail:all' : `mail:${mailId.slice(0, 36)}`,
      });
    }),
  );
  throw redirect(`${href('/staff/mail')}?now`, 303);
}
