import { type Academy, momentOf } from '#app/http/academy.server.ts';
import { busyText, twiceIsHarmless } from '#app/http/database-away.server.ts';
import { waitText } from '#app/http/form-limit.server.ts';
import { emailField } from '#app/http/form-texts.ts';
import { blankForm, type FormWords, type Refusal, takeForm, Undone } from '#app/http/take-form.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { answerAsk } from './belonging.server.ts';
import { endColleague, mostManagers, nameColleague } from './managers.server.ts';
import { isManager, type Named } from './queries.server.ts';

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
