import { data, href, Link } from 'react-router';
import { readCourseDates } from '#app/features/enrolments/course-dates-for-staff.server.ts';
import { messagesTo } from '#app/features/inbox/bulk-actions/queries.server.ts';
import type { ChosenRecords } from '#app/features/inbox/bulk-actions/recipients.server.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatCount } from '#app/lib/money.ts';
import { formatMoment, shortDays } from '#app/lib/short-dates.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { chosenRowsIn, chosenRowsQuery } from '#app/routes/staff/lists/chosen-rows.ts';
import { Section } from '#app/ui/staff/page-head.tsx';
import { sendStaffFormAs } from '#app/ui/staff/send-staff-form.ts';
import { Back, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/message';
import { chosenIds, messageLists, tooMany } from './chosen-records.server.ts';
import { Compose } from './compose.tsx';
import { takeMessage } from './take-message.server.ts';

/** The list that an address names; answers 404 for another one. */
function listIn(name: string): ChosenRecords['of'] {
  if (name === 'enrolments' || name === 'course-dates' || name === 'waiting') return name;
  throw data('There is nothing here.', { status: 404 });
}

const ordinaryText = 'Hello {first name},\n\n\n\nRegards\nBowerbird Academy';

export async function loader({ context, params: { list }, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'mail:read');
  const academy = context.get(academyContext);
  const { db } = academy;
  const { today } = momentOf(academy);
  const of = listIn(list);
  const { back, words, groups } = messageLists[of];
  const chosen = chosenRowsIn(url.searchParams);
  return unlessDatabaseAway(async () => {
    const ids = await chosenIds(db, actor, { of, chosen }, today);
    const page = { back: back(chosen.list), to: `${url.pathname}?${chosenRowsQuery(chosen)}` };
    if (ids === 'too-many') return { ...page, line: tooMany, writing: null, dates: [], sent: [] };
    if (ids.length === 0) {
      return { ...page, line: `No ${words[0]} is ticked. Go back to the list.`, writing: null, dates: [], sent: [] };
    }
    const dates = of === 'course-dates' ? await readCourseDates(db, actor, ids, today) : [];
    const sent = of === 'course-dates' ? await messagesTo(db, actor, ids) : [];
    const [date] = dates.length === 1 && chosen.list === '' ? dates : [];
    return {
      ...page,
      // From the page of a course date.
      ...(date && { back: { to: href('/staff/course-dates/:slug', { slug: date.slug }), text: date.title } }),
      line: `To the people of ${ids.length === 1 ? `1 ${words[0]}` : `${formatCount(ids.length)} ${words[1]}`}.`,
      writing: { groups, form: blankStaffForm(0, { [groups[0][0]]: 'on', purpose: 'service', body: ordinaryText }) },
      dates: dates.map(({ slug, title, startDate, endDate, where }) => ({
        slug,
        text: `${title}, ${shortDays(startDate, endDate)}, ${where}`,
      })),
      sent: sent.map(({ number, subject, made_at, taken_back_at, made_by }) => ({
        number: String(number),
        subject,
        more: `${formatMoment(made_at)}, by ${made_by ?? 'somebody who left'}${taken_back_at ? ', taken back' : ''}`,
      })),
    };
  });
}

export async function action({ context, request, params: { list }, url }: Route.ActionArgs) {
  const actor = staffFor(context, 'mail:send');
  const asked = { form: await readForm(request), actor, of: listIn(list), chosen: chosenRowsIn(url.searchParams) };
  const taken = await takeMessage(context.get(academyContext), asked);
  if (taken.ok === 'shown') {
    const { form, preview, told } = taken;
    return { form, stale: false, preview, told };
  }
  return answerForm(taken, ({ number }) =>
    number === null ? href('/staff/bulk-actions') : href('/staff/bulk-actions/:number', { number: String(number) }),
  );
}

export const clientAction = sendStaffFormAs<typeof action>;

export const meta = () => staffMeta('Write to several people');

/** The form for a message to the people of chosen rows (P80). */
export default function MessageToSeveral({ loaderData, actionData }: Route.ComponentProps) {
  const { back, to, line, writing, dates, sent } = loaderData;
  return (
    <>
      <Back to={back.to}>{back.text}</Back>
      <h1 className="mb-1 text-2xl">Write to several people</h1>
      {writing === null ? (
        <Words>{line}</Words>
      ) : (
        <>
          <p className="mb-4 max-w-prose">{line}</p>
          <Dates dates={dates} />
          <Compose
            to={to}
            groups={writing.groups}
            form={actionData?.form ?? writing.form}
            preview={actionData && 'preview' in actionData ? actionData.preview : null}
            told={actionData && 'told' in actionData ? actionData.told : ''}
          >
            {sent.length > 0 && (
              <Section title={dates.length === 1 ? 'Messages to this course date' : 'Messages to these course dates'}>
                <ul>
                  {sent.map(({ number, subject, more }) => (
                    <li key={number} className="border-b border-line py-1.5">
                      <TextLink to={href('/staff/bulk-actions/:number', { number })}>{subject}</TextLink>
                      <span className="block text-sm text-mute">{more}</span>
                    </li>
                  ))}
                </ul>
              </Section>
            )}
          </Compose>
        </>
      )}
    </>
  );
}

/** The chosen course dates. */
function Dates({ dates }: { dates: readonly { slug: string; text: string }[] }) {
  if (dates.length === 0) return null;
  return (
    <details className="mb-5 max-w-prose border-y border-line" open={dates.length <= 5}>
      <summary className="min-h-9 cursor-pointer py-1.5 font-semibold">
        {dates.length === 1 ? 'The course date' : 'The course dates'}
      </summary>
      <ul className="tabular pb-3 pl-4">
        {dates.map(({ slug, text }) => (
          <li key={slug}>
            <Link to={href('/staff/course-dates/:slug', { slug })} className="hover:underline">
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
