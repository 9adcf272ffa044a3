import type { Trx } from '#app/db/client.server.ts';
import { managerNamed } from '#app/emails/companies.ts';
import { type Academy, type Moment, momentOf } from '#app/http/academy.server.ts';
import { busyText, twiceIsHarmless } from '#app/http/database-away.server.ts';
import { type FormLimit, waitText } from '#app/http/form-limit.server.ts';
import { emailField } from '#app/http/form-texts.ts';
import { blankForm, type FormWords, type Refusal, takeForm, Undone } from '#app/http/take-form.server.ts';
import { nameForOthers } from '#app/lib/shown-name.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { askForMail } from '#app/outbox/asked-mail.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { writeAct } from './acts.server.ts';
import { answerAsk } from './belonging.server.ts';
import { companyUrl } from './company-path.ts';
import { addManager } from './organisations.server.ts';
import { isManager, managersOf, type Named, nameOfOrganisation } from './queries.server.ts';

/** An organisation has at most so many managers. */
const mostManagers = 20;

type Naming = Named & {
  /** Of the new manager. */
  email: string;
  limit: FormLimit;
  /** The network address that asks. */
  from: string;
};

/**
 * A manager makes the person with an address a manager (P116), and mails them the link to log in by, which proves the
 * address. Nothing happens when they are one. `too-many` managers, or `too-often` mails from there (P24).
 */
async function nameColleague(
  trx: Trx,
  { organisationId, personId, email, limit, from }: Naming,
  { now: at, academy }: Moment,
): Promise<{ ok: true } | { ok: false; reason: 'too-many' } | { ok: false; reason: 'too-often'; waitMs: number }> {
  await lockManagers(trx, organisationId);
  const managers = await managersOf(trx, organisationId);
  if (managers.length >= mostManagers) return { ok: false, reason: 'too-many' };
  const managerId = await addManager(trx, { organisationId, email, at });
  if (managerId === null) return { ok: true };
  const room = await askForMail(trx, { limit, kind: 'manager', to: email, from }, at);
  if (!room.ok) return { ok: false, reason: 'too-often', waitMs: room.waitMs };
  await room.count();
  await writeAct(trx, { organisationId, personId, act: 'add-manager', managerId, at });
  const by = managers.find((manager) => manager.personId === personId);
  await queueMail(trx, {
    kind: 'manager-named',
    about: 'nothing',
    to: email,
    replyTo: academy.email,
    ...managerNamed({
      // Both were typed by somebody, and the reader may be a stranger (P49).
      name: nameForOthers(await nameOfOrganisation(trx, organisationId)) ?? 'an organisation',
      by: nameForOthers(by?.name ?? '') ?? by?.email ?? academy.name,
      email,
      link: companyUrl(academy, organisationId),
      academy,
    }),
  });
  return { ok: true };
}

/**
 * A manager ends another or themselves (P116). `last`: no other is left who has proved an address, so one has to be named
 * first. Nothing happens when that manager had ended.
 */
async function endColleague(
  trx: Trx,
  { organisationId, personId, managerId, at }: Named & { managerId: number; at: Date },
): Promise<{ ok: true } | { ok: false; reason: 'last' }> {
  await lockManagers(trx, organisationId);
  const managers = await managersOf(trx, organisationId);
  const ended = managers.find(({ id }) => id === managerId);
  if (!ended) return { ok: true };
  if (!managers.some(({ id, proved }) => id !== managerId && proved)) return { ok: false, reason: 'last' };
  await trx.updateTable('organisation_managers').set({ ended_at: at }).where('id', '=', managerId).execute();
  await writeAct(trx, { organisationId, personId, act: 'end-manager', managerId, at });
  return { ok: true };
}

/** Who names and ends managers of one organisation follow each other: two who end each other at once leave one. */
async function lockManagers(trx: Trx, organisationId: number): Promise<void> {
  await trx.selectFrom('organisations').select('id').where('id', '=', organisationId).forUpdate().execute();
}

/** What was done, for the confirmation on the page; `left`: the manager ended themselves. */
export type CompanyDone = 'named' | 'ended' | 'left' | 'taken' | 'not-taken';

type Sent = Named & { form: FormData | null /** The network address that sent it. */; from: string };

/** Takes a form of an organisation's page from one of its managers (P116), in one transaction. Sent twice, it is done once. */
export function takeCompanyAct(
  academy: Academy,
  { form, from, ...manager }: Sent,
): Promise<{ ok: true; did: CompanyDone } | Refusal> {
  const { db, forms } = academy;
  return takeForm<{ ok: true; did: CompanyDone }>(
    { form, fresh: blankForm('Nothing was changed'), words },
    (values, refuse) =>
      db.transaction().execute(async (trx) => {
        const moment = momentOf(academy);
        const { act = '', reference = '' } = values;
        if (!(await isManager(trx, manager))) return refuse(403, noManager);
        if (act === 'take' || act === 'leave') {
          const take = act === 'take';
          if (await answerAsk(trx, { ...manager, reference, take }, moment))
            return { ok: true, did: take ? 'taken' : 'not-taken' };
          throw new Undone(refuse(409, 'This was answered already. The page shows how it is now.'));
        }
        if (act === 'end-manager') {
          const managerId = /^\d{1,15}$/.test(values.manager ?? '') ? Number(values.manager) : 0;
          const ended = await endColleague(trx, { ...manager, managerId, at: moment.now });
          if (!ended.ok) throw new Undone(refuse(409, lastOne));
          return { ok: true, did: (await isManager(trx, manager)) ? 'ended' : 'left' };
        }
        if (act !== 'add-manager') return refuse(400, words.unreadable);
        const email = emailField.safeParse(values.email ?? '');
        if (!email.success) return refuse(400, { errors: { email: email.error.issues[0]?.message ?? '' } });
        const named = await nameColleague(trx, { ...manager, email: email.data, limit: forms.limit, from }, moment);
        if (named.ok) return { ok: true, did: 'named' };
        const why =
          named.reason === 'too-many'
            ? `An organisation has at most ${mostManagers} managers. End one first.`
            : `We sent no email, because many were asked for. Try again in ${waitText(named.waitMs)}.`;
        throw new Undone(refuse(409, { errors: { email: why } }));
      }),
  );
}

const noManager = 'You no longer manage this organisation, so nothing was changed. Ask one of its managers.';
const lastOne =
  'One manager has to stay. Name another first: once they have logged in, you can leave. Or call us, and our staff do it.';
const words: FormWords = {
  unreadable: 'Part of the form was missing, so nothing was changed. Please send it again.',
  notSaved: 'Our system is not available, so nothing was changed. Please send it again in a few minutes.',
  away: unconfirmedText('this change', twiceIsHarmless),
  busy: busyText('Nothing was changed.'),
};
