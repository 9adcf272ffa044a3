import { Form, href, Link, useNavigation } from 'react-router';
import { isOfWay, joinField, shownField } from '#app/features/enrolments/join-field.ts';
import { readJoining } from '#app/features/enrolments/joining.server.ts';
import { formatMoney } from '#app/lib/money.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import type { FormValues } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/add';
import { ActPage, Away, Confirm, noFault, textLink } from './frame.tsx';
import { OneAttendeeFields, oneAttendeeLabels } from './one-attendee-fields.tsx';
import { addAsAsked } from './people-acts.server.ts';
import { actForBuyer, loadForBuyer } from './private-page.server.ts';

/** The courses that one more attendee can join, at today's price (P39). */
export function loader({ context, params: { token } }: Route.LoaderArgs) {
  return loadForBuyer(context, token, async (trx, enrolment, moment) => {
    const joining = await readJoining(trx, enrolment, moment);
    return { title: enrolment.title, phone: moment.academy.phone, joining };
  });
}

export async function action({ context, request, params: { token } }: Route.ActionArgs) {
  return actForBuyer({ context, request, token }, addAsAsked);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Add a person', 'Let one more person attend, while seats last.', noPage);

const formId = 'add-form';

export default function Add({ loaderData, actionData, params: { token } }: Route.ComponentProps) {
  const busy = useNavigation().state === 'submitting';
  if (!loaderData && !actionData) return <Away />;
  const form = actionData?.form ?? noFault;
  const joining = loaderData?.joining ?? null;
  if (loaderData && !joining) {
    return (
      <ActPage
        title="Nobody can be added here"
        lead={`The course has begun, is no longer offered, or needs an agreement first. To enrol someone else, start a new enrolment or call ${loaderData.phone}.`}
        token={token}
      >
        <ErrorSummary form={form} labels={oneAttendeeLabels} formId={formId} />
      </ActPage>
    );
  }
  const full = joining?.courses.flatMap(({ ways }) => ways.filter((way) => way.full)) ?? [];
  const nowhere = joining?.courses.some(({ ways }) => ways.every((way) => way.full)) ?? false;
  // The last data of the page, for while the database is away.
  const total = joining ? joining.quote.totalCents : Number(form.values.shown ?? 0);
  const labels = {
    ...oneAttendeeLabels,
    ...Object.fromEntries((joining?.courses ?? []).map(({ courseId, title }) => [joinField(courseId), title])),
  };
  return (
    <ActPage
      title="Add a person"
      lead="While seats last, at today’s price. You get a separate invoice for it."
      token={token}
    >
      <ErrorSummary form={form} labels={labels} formId={formId} />
      {full.map((way) => (
        <p key={way.value} role="status" className="rounded-card border border-line bg-card p-5">
          <b>No seat is free on {way.label} now.</b> {nowhere && 'So you cannot add anyone at the moment. '}
          {way.date !== null && (
            <>
              <Link to={`${href('/waiting-list')}?courseDate=${way.date}`} className={textLink}>
                Join the waiting list of this date
              </Link>
              , or{' '}
              <Link to={href('/enrol')} className={textLink}>
                enrol the person for another date
              </Link>
              .
            </>
          )}
        </p>
      ))}
      {(!nowhere || actionData) && (
        <Form id={formId} method="post" noValidate className="grid gap-6">
          <input type="hidden" name="seen" value={joining?.seen ?? form.values.seen ?? ''} />
          <input type="hidden" name="shown" value={total} />
          {!joining && <AsSent values={form.values} />}
          {joining?.courses.map(({ courseId, title, ways }) => (
            <fieldset key={courseId} id={joinField(courseId)} tabIndex={-1} className="min-w-0">
              <legend className="mb-2 font-bold">
                <Unbroken text={title} />
              </legend>
              {form.errors[joinField(courseId)] && (
                <p className="mb-2 font-semibold text-fault">{form.errors[joinField(courseId)]}</p>
              )}
              <div className="grid gap-2">
                {ways.map(({ value, shown }) => (
                  <input key={value} type="hidden" name={shownField(value)} value={shown} />
                ))}
                {ways.map(({ value, label, full: taken, refund }) => (
                  <label
                    key={value}
                    className="flex min-h-12 items-start gap-3 rounded-control border border-edge bg-card px-4 py-3 has-checked:border-action has-checked:ring-2 has-checked:ring-action hover:border-ink"
                  >
                    <input
                      type="radio"
                      name={joinField(courseId)}
                      value={value}
                      defaultChecked={(ways.length === 1 && !taken) || form.values[joinField(courseId)] === value}
                      disabled={taken}
                      className="mt-0.5 size-5 shrink-0 accent-action"
                    />
                    <span>
                      {label}
                      {taken && ': no free seat'}
                      <span className="tabular block text-sm text-mute">{refund}</span>
                    </span>
                  </label>
                ))}
              </div>
            </fieldset>
          ))}
          {joining?.rule && <p className="max-w-prose">{joining.rule}</p>}
          <OneAttendeeFields form={form} />
          <p className="tabular rounded-card border border-line bg-card p-5">
            <b className="font-display text-3xl">{formatMoney(total)}</b> incl. GST
            {joining && ` of ${formatMoney(joining.quote.gstCents)}`}, today’s price
            {joining && joining.quote.discountCents > 0 && `, after ${joining.quote.discount}`}. We’ll email the tax
            invoice.
          </p>
          <Confirm label={`Add, and pay ${formatMoney(total)} by invoice`} busy={busy} />
        </Form>
      )}
    </ActPage>
  );
}

/** The ways as they were chosen, for while the database is away. */
function AsSent({ values }: { values: FormValues }) {
  return Object.entries(values)
    .filter(([name]) => isOfWay(name))
    .map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}
