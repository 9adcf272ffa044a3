import { data, Form, href, Link, useNavigation } from 'react-router';
import { readWaitingPage, type WaitingPage } from '#app/features/enrolments/waiting/board.server.ts';
import { PreferenceFields } from '#app/features/enrolments/waiting/preference-fields.tsx';
import { findWaitingEntry } from '#app/features/enrolments/waiting/queries.server.ts';
import { confirmDays, waitingPath } from '#app/features/enrolments/waiting/rules.ts';
import { changeWaiting } from '#app/features/enrolments/waiting/submit.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { readOrInstead } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { CheckoutHead } from '#app/routes/enrol/checkout-head.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { FactList } from '#app/ui/fact-rows.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { When } from '#app/ui/when.tsx';
import type { Route } from './+types/waiting';
import { DeadLink } from './dead-link.tsx';

/** The entry of a private link. Reading it changes nothing: mail scanners open links. */
export async function loader({ context, params: { token }, url }: Route.LoaderArgs) {
  const academy = context.get(academyContext);
  const { db } = academy;
  return readOrInstead('away' as const, async () => {
    const entry = await findWaitingEntry(db, token);
    if (!entry) return data(null, { status: 404 });
    const saved = url.searchParams.has('saved');
    return { token, saved, entry: await readWaitingPage(db, entry, momentOf(academy)) };
  });
}

export async function action({ context, request, params: { token } }: Route.ActionArgs) {
  const sent = { token, form: await readForm(request), address: context.get(clientAddressContext) };
  const result = await changeWaiting(context.get(academyContext), sent);
  if (!result.ok && result.status === 404) throw data(null, { status: 404 });
  return answerForm(result, ({ to }) => to ?? waitingPath(token));
}

const noFault: FormState = { values: {}, errors: {}, fault: null, heading: 'Nothing was changed', token: '' };

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Your place on the waiting list', 'See your turn, take an offer, or leave the list.', noPage);

/** The text for each state. */
const heads: Record<WaitingPage['state'], { title: string; lead: string }> = {
  unconfirmed: {
    title: 'Confirm your place on the list',
    lead: `Press the button to confirm that this email address is yours. Until then we keep no seats for you; after ${confirmDays} days without it we delete your entry.`,
  },
  waits: {
    title: 'You are on the waiting list',
    lead: 'We’ll email you when it is your turn. You don’t need to do anything until then.',
  },
  offered: {
    title: 'We are keeping seats for you',
    lead: 'Accept or decline them here. If you don’t answer, the offer ends.',
  },
  bought: {
    title: 'You have enrolled',
    lead: 'You are no longer on the waiting list. The email about your enrolment has its own link.',
  },
  declined: {
    title: 'You declined the offer',
    lead: 'You are no longer on this waiting list, and you owe nothing.',
  },
  lapsed: {
    title: 'Your offer has ended',
    lead: 'Its time has passed, so the seats are no longer kept for you. You owe nothing.',
  },
  left: { title: 'You have left the waiting list', lead: 'You owe nothing, and we’ll send no more emails about it.' },
  staff: {
    title: 'You are no longer on the list',
    lead: 'Staff took this entry off the waiting list. If you did not expect this, email or call us.',
  },
  over: {
    title: 'This waiting list is closed',
    lead: 'The date was cancelled, enrolment for it has closed, or we no longer offer the course. You owe nothing.',
  },
  undeliverable: {
    title: 'Our email did not reach you',
    lead: 'We offered you seats, but could not deliver our email, so they are no longer kept for you. Join again with another address.',
  },
};

/** Places that were bought wait on when a date was declined or its offer ran out. */
function headOf({ state, bought }: WaitingPage) {
  if (!bought || !['declined', 'lapsed', 'undeliverable'].includes(state)) return heads[state];
  return {
    title: 'You are waiting for the next date',
    lead: 'You didn’t take that date. You still have your place, and we’ll email you when we set another date.',
  };
}

export default function Waiting({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData === 'away') {
    return (
      <PageHead
        title="We cannot look this up right now"
        lead="Our system is not available. Your place on the list is saved and is not lost. Please reload this page in a few minutes."
      />
    );
  }
  if (!loaderData) return <DeadLink />;
  const { entry } = loaderData;
  const form = actionData && 'form' in actionData ? actionData.form : noFault;
  const open = ['unconfirmed', 'waits', 'offered'].includes(entry.state);
  return (
    <>
      <CheckoutHead {...headOf(entry)} />
      <div className="page grid gap-8 pt-4 pb-10 lg:pb-16">
        <ErrorSummary form={form} labels={{}} formId="waiting-entry" />
        <section className="grid max-w-2xl grid-cols-1 gap-4 rounded-card border border-line bg-card p-5 sm:p-7">
          <div>
            <p>{entry.course.title}</p>
            <When text={entry.offer?.when ?? entry.when} />
            {entry.offer && (
              <p className="text-mute">Kept for you until {entry.offer.until ?? '72 hours after our email is sent'}</p>
            )}
          </div>
          {open ? <Answers entry={entry} token={loaderData.token} /> : <Again entry={entry} />}
          <Facts entry={entry} />
        </section>
        {open && entry.preferences && (
          <PreferencesForm token={loaderData.token} {...entry.preferences} saved={loaderData.saved && !actionData} />
        )}
      </div>
    </>
  );
}

function Facts({ entry }: { entry: WaitingPage }) {
  const { offer } = entry;
  const rows = [
    ['Where', offer?.where],
    ['Seats', String(offer?.seats ?? entry.seats)],
    [
      'Keep waiting for another date',
      offer && offer.wait > 0 && (offer.wait === 1 ? '1 of your places' : `${offer.wait} of your places`),
    ],
    ['Price of a seat', offer?.price],
    ['If you accept and cancel later, for each place', offer?.refund],
    [
      'People ahead of you',
      entry.state === 'waits' && !entry.paused && (entry.ahead === 0 ? 'None: you are next' : people(entry.ahead)),
    ],
    [
      'Your next offer',
      entry.state === 'waits' &&
        entry.paused &&
        'We withdrew the last one. The next one comes from our staff, not from the list.',
    ],
    ['Reference', entry.reference],
  ] as const;
  return <FactList rows={rows} className="border-t border-line pt-4" />;
}

const people = (count: number) => (count === 1 ? '1 person' : `${count} people`);

function Answers({ entry: { state, offer, bought }, token }: { entry: WaitingPage; token: string }) {
  const sending = useNavigation().state === 'submitting';
  return (
    <Form id="waiting-entry" method="post" action={waitingPath(token)} className="grid gap-4">
      {offer && <Movable places={offer.movable} />}
      {offer && (
        <p>
          {bought
            ? 'If you accept, the seats are yours at the price you agreed to, and we’ll email your tax invoice.'
            : `${offer.movable.length > 0 ? 'If you buy another place' : 'If you accept'}, you go to the enrolment. You see the price and the terms again before you buy. ${offer.seats > 1 ? 'You can also take fewer seats there. ' : ''}The seats stay yours until the time above, and for at least 15 minutes after you press the button.`}
        </p>
      )}
      {offer && <input type="hidden" name="date" value={offer.date} />}
      <div className="flex flex-wrap gap-3">
        {offer && (
          <>
            {offer.movable.length > 0 && (
              <button type="submit" name="intent" value="move" disabled={sending} className={button.primary}>
                {offer.movable.length === 1 ? 'Move my place to this date' : 'Move my places to this date'}
              </button>
            )}
            <button
              type="submit"
              name="intent"
              value="accept"
              disabled={sending}
              className={offer.movable.length > 0 ? button.quiet : button.primary}
            >
              {bought ? 'Accept this date' : offer.movable.length > 0 ? 'Buy another place' : 'Accept and enrol'}
            </button>
            <button type="submit" name="intent" value="decline" disabled={sending} className={button.quiet}>
              {bought ? 'Decline, and wait for the next date' : 'Decline the offer'}
            </button>
          </>
        )}
        {state === 'unconfirmed' && (
          <button type="submit" name="intent" value="confirm" disabled={sending} className={button.primary}>
            Confirm my place
          </button>
        )}
        {!bought && !offer && (
          <button type="submit" name="intent" value="leave" disabled={sending} className={button.quiet}>
            Leave the waiting list
          </button>
        )}
      </div>
      {offer && !bought && (
        <p className="text-sm text-mute">Declining also takes you off this waiting list. You can join it again.</p>
      )}
      {!offer && bought && (
        <p className="text-sm text-mute">
          You have bought this place, and it is waiting for a date. To cancel it, use the link in the email about your
          enrolment.
        </p>
      )}
    </Form>
  );
}

/** Says that places can be moved to the offered date; nothing when there are none. */
function Movable({ places }: { places: readonly { when: string }[] }) {
  const [first, ...more] = places;
  if (!first) return null;
  const [what, them] =
    more.length === 0
      ? [`a place in this course: ${first.when}`, 'it']
      : [`${places.length} places in this course`, 'them'];
  return (
    <p>
      {`You have ${what}. You can move ${them} to this date instead of buying another place: the price stays the same, and you see the terms of the move first.`}
    </p>
  );
}

/** The weeks and places that suit the person (P98). */
function PreferencesForm({
  token,
  values,
  weeks,
  saved,
}: NonNullable<WaitingPage['preferences']> & { token: string; saved: boolean }) {
  return (
    <Form method="post" action={waitingPath(token)} preventScrollReset className="grid max-w-2xl gap-6">
      <h2 className="text-2xl">What would suit you</h2>
      <PreferenceFields form={{ ...noFault, values }} weeks={weeks} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <button type="submit" name="intent" value="save" className={button.quiet}>
          Save
        </button>
        {saved && (
          <p role="status" className="font-semibold">
            Saved.
          </p>
        )}
      </div>
    </Form>
  );
}

function Again({ entry: { course } }: { entry: WaitingPage }) {
  return (
    <p>
      <Link to={href('/course/:courseId', { courseId: course.slug })} className={button.primary}>
        See the course and its dates
      </Link>
    </p>
  );
}
