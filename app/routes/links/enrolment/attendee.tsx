import { Form, useNavigation } from 'react-router';
import { placeWhen, staysInWords } from '#app/features/enrolments/words.ts';
import { unbrokenTimes } from '#app/lib/wall-clock.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { FactRows } from '#app/ui/fact-rows.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/attendee';
import { ActPage, Away, Confirm, noFault } from './frame.tsx';
import { OneAttendeeFields, oneAttendeeLabels } from './one-attendee-fields.tsx';
import { attendeeValues, nameAttendeeForBuyer } from './people-acts.server.ts';
import { actForBuyer, loadForBuyer, noLink } from './private-page.server.ts';

export function loader({ context, params: { token, attendeeId } }: Route.LoaderArgs) {
  return loadForBuyer(context, token, async (_, { places }, { today }) => {
    const all = places.filter(({ attendee }) => String(attendee.id) === attendeeId);
    const own = all.filter(({ state }) => state === 'active');
    const [first] = all;
    if (!first) throw noLink();
    return {
      values: attendeeValues(first.attendee),
      who: first.attendee.name,
      stays: staysInWords(all, today),
      courses: own.map((place) => ({ title: place.courseTitle, when: placeWhen(place) })),
    };
  });
}

export async function action({ context, request, params: { token } }: Route.ActionArgs) {
  return actForBuyer({ context, request, token }, nameAttendeeForBuyer);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Who attends', 'Name who attends, or change the attendee.', noPage);

const formId = 'attendee-form';

export default function AttendeePage({ loaderData, actionData, params: { token, attendeeId } }: Route.ComponentProps) {
  const busy = useNavigation().state === 'submitting';
  // Typed text stays while the database is away (P37).
  if (!loaderData && !actionData) return <Away />;
  const form = actionData?.form ?? { ...noFault, values: loaderData?.values ?? {} };
  return (
    <ActPage
      title="Who attends"
      lead={
        loaderData && loaderData.who === null
          ? 'Naming who attends is free. With an email address they get a link of their own, without prices.'
          : 'Changing the attendee is free and doesn’t use your free move. We email the person you replace; their link stops working. If you change only the email address, the same person keeps the place. We tell the old address that we have stopped using it.'
      }
      token={token}
    >
      <ErrorSummary form={form} labels={oneAttendeeLabels} formId={formId} />
      {loaderData && (
        <FactRows
          rows={[
            ['Now', loaderData.who ?? 'To be named'],
            ...loaderData.courses.map(
              ({ title, when }) =>
                [
                  'Attends',
                  <span key={title}>
                    <Unbroken text={title} />
                    <span className="block font-normal text-mute">{unbrokenTimes(when)}</span>
                  </span>,
                ] as const,
            ),
          ]}
        />
      )}
      <Form id={formId} method="post" noValidate className="grid gap-6">
        <input type="hidden" name="attendee" value={attendeeId} />
        {loaderData?.stays && <p className="font-bold">{loaderData.stays}</p>}
        <OneAttendeeFields form={form} />
        {loaderData?.courses.length === 0 && <p className="font-bold">This person no longer has a place.</p>}
        <Confirm label="Save (free)" busy={busy} />
      </Form>
    </ActPage>
  );
}
