import { Form, href, Link } from 'react-router';
import { z } from 'zod';
import { findLink } from '#app/features/enrolments/links.server.ts';
import { isBegun, mayMove } from '#app/features/enrolments/may-change.ts';
import { readEnrolment } from '#app/features/enrolments/queries.server.ts';
import { courseInWords } from '#app/features/enrolments/words.ts';
import { daysToMiss, readAbsences, tellAbsence } from '#app/features/study/marking.server.ts';
import { type Academy, academyContext, momentOf } from '#app/http/academy.server.ts';
import { firstFaults, optionalTextWithin } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm, blankForm, type FormWords, type Refusal, takeForm } from '#app/http/take-form.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { CheckoutHead } from '#app/routes/enrol/checkout-head.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { TextArea } from '#app/ui/form-fields.tsx';
import type { FormState, FormValues } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/cannot-come';
import { Away, textLink } from './frame.tsx';
import { readForAttendee } from './private-links.server.ts';
import { noLink, pageDataOf } from './private-page.server.ts';

const typed = z.object({ note: optionalTextWithin(500) });

type Asked = { token: string; placeId: string; form: FormData | null };

/** Takes the form of an attendee who cannot come, or comes after all (P56). Sending it again changes nothing. */
function takeAbsence(academy: Academy, { token, placeId, form }: Asked): Promise<{ ok: true } | Refusal> {
  return takeForm({ form, fresh: blankForm(), words }, async (values, refuse) => {
    const parsed = typed.safeParse(values);
    if (!parsed.success) return refuse(400, { errors: firstFaults(parsed.error) });
    const days = Object.keys(values).flatMap((name) => /^day-(\d{4}-\d\d-\d\d)$/.exec(name)?.[1] ?? []);
    const result = await academy.db.transaction().execute(async (trx) => {
      const owner = await findLink(trx, token);
      if (!owner || owner.attendeeId === null) return null;
      const { reference, places } = await readEnrolment(trx, owner.enrolmentId);
      const place = places.find(({ id, attendee }) => String(id) === placeId && attendee.id === owner.attendeeId);
      return place ? tellAbsence(trx, { place, reference, days, note: parsed.data.note }, momentOf(academy)) : null;
    });
    if (result?.ok) return result;
    if (!result || result.reason === 'no-class') return refuse(404, {});
    return refuse(400, { errors: { days: 'Choose at least one day.' } });
  });
}

const words: FormWords = {
  unreadable: 'Part of the form was missing. Please send it again.',
  away: unconfirmedText('that we know', 'Please send it again in a few minutes, or call us.'),
  busy: 'Many people are here at the moment, so this was not sent. Please send it again in a few seconds.',
};

/** An attendee who cannot come tells the academy, and reads what that changes and what it does not (P56). */
export async function loader({ context, params: { token, placeId } }: Route.LoaderArgs) {
  const found = await readForAttendee(
    context.get(academyContext),
    token,
    async (_, own, { now, today, academy }, _costOf, trx) => {
      const place = own.find(({ id }) => String(id) === placeId);
      const days = place ? daysToMiss(place, now) : [];
      if (!place || days.length === 0) return 'no-link' as const;
      const [told = null] = (await readAbsences(trx, [place.id])).get(place.id) ?? [];
      const chosen = days.filter((day) => told?.days.includes(day));
      const { title, when } = courseInWords([place]);
      return {
        token,
        placeId,
        title,
        when,
        phone: academy.phone,
        begun: isBegun(place, today),
        movable: mayMove(place, 'buyer', today) === 'yes',
        days: days.map((day) => ({ day, text: formatDay(day) })),
        told: told && {
          at: formatMoment(told.toldAt),
          days: told.days.length === 0 ? 'you can come after all' : told.days.map(formatDay).join(', '),
          today: academyDay(told.toldAt) === today,
          absent: chosen.length > 0,
        },
        form: formAsTold(chosen, told?.note ?? ''),
      };
    },
  );
  return pageDataOf(found);
}

/** The form with the days to come as they were told. */
function formAsTold(days: readonly Day[], note: string): FormState {
  const values: FormValues = { note: days.length > 0 ? note : '' };
  for (const day of days) values[`day-${day}`] = 'on';
  return { ...blankForm('Not sent yet'), values };
}

export async function action({ context, request, params: { token, placeId } }: Route.ActionArgs) {
  const asked = { token, placeId, form: await readForm(request) };
  const result = await takeAbsence(context.get(academyContext), asked);
  if (!result.ok && result.status === 404) throw noLink();
  return answerForm(result, href('/place/:token/:placeId/cannot-come', { token, placeId }));
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'I can’t come', 'Tell us on which days you cannot come to your course.', noPage);

const labels = { days: 'Days', note: 'What we should know' };

export default function CannotCome({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData) return <Away />;
  const { token, title, when, phone, begun, movable, days, told } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <CheckoutHead
        title="I can’t come"
        lead={`${title}, ${when}. We tell your instructor and our office. You keep your place.`}
      />
      <div className="page grid max-w-2xl gap-8 pt-4 pb-10">
        {told && (
          <div role="status" className="rounded-control border-2 border-action p-4">
            <p className="tabular">
              <b>You told us</b> on {told.at}: {told.days}.
            </p>
            {told.today && (
              <p>
                We send one email a day about this. If you change it again today, your instructor sees it on the page of
                the class. To be sure that they know, call {phone}.
              </p>
            )}
          </div>
        )}
        <ErrorSummary form={form} labels={labels} formId="absence-form" />
        <Form id="absence-form" method="post" noValidate className="grid gap-5">
          <fieldset id="days" tabIndex={-1} className="grid gap-1">
            <legend className="mb-1.5 font-bold">On which days can’t you come?</legend>
            {told?.absent && <p>Your choice replaces what you told us. If you can come after all, choose no day.</p>}
            {form.errors.days && <p className="font-bold text-fault">{form.errors.days}</p>}
            {days.map(({ day, text }) => (
              <label key={day} className="flex min-h-11 items-center gap-3">
                <input
                  type="checkbox"
                  name={`day-${day}`}
                  defaultChecked={form.values[`day-${day}`] !== undefined}
                  className="size-5 accent-action"
                />
                {text}
              </label>
            ))}
          </fieldset>
          <TextArea form={form} name="note" label={labels.note} />
          <p>
            <button type="submit" className={button.primary}>
              Tell the academy
            </button>
          </p>
        </Form>
        <section>
          <h2 className="text-2xl">What happens next</h2>
          <ul className="mt-3 grid list-disc gap-2 pl-5 marker:text-edge">
            <li>You keep your place, and there is no refund for missed days. They do not count as attended.</li>
            <li>{whoChanges({ begun, movable })}</li>
            <li>
              The refund after a cancellation depends on the day. The page of the enrolment says how much it is today.
            </li>
            <li>You can also call {phone}.</li>
          </ul>
          <p className="mt-4">
            <Link to={href('/place/:token', { token })} className={textLink}>
              Your place
            </Link>
          </p>
        </section>
      </div>
    </>
  );
}

function whoChanges({ begun, movable }: { begun: boolean; movable: boolean }): string {
  const who = 'On the page of the enrolment, the person who enrolled you (which may be you) can';
  if (movable) {
    const once = begun ? '' : ' once at no charge before the first day';
    return `${who} let somebody else attend in your place at no charge, move you to another date${once}, or cancel.`;
  }
  return begun
    ? `${who} let somebody else attend the other days, at no charge. The course has begun, so the date can no longer be changed there.`
    : `${who} let somebody else attend in your place at no charge, or cancel. They cannot move you to another date there.`;
}
