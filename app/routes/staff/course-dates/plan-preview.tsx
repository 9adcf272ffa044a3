import { sureLabel } from '#app/features/course-dates/clash-words.ts';
import { formatDay, formatDays, weekdayOf } from '#app/lib/dates.ts';
import { taughtText } from '#app/lib/delivery.ts';
import { formatTime, zoneOfDays } from '#app/lib/wall-clock.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm } from '#app/ui/staff/act-form.tsx';
import { Choice } from '#app/ui/staff/choices.tsx';
import { Panel, Table, Words } from '#app/ui/staff/typography.tsx';
import { InWay } from './in-the-way.tsx';
import type { Plan } from './plan-course-dates.server.ts';

type Props = { plan: Plan; form: FormState; instructors: readonly { slug: string; name: string }[]; none: string };

/** The planned course dates with their clashes, and the button that makes all ticked ones or none. */
export function PlanPreview({ plan, form, instructors, none }: Props) {
  const { rows, skipped, waiting, shown, unchecked } = plan;
  const clashing = rows.filter(({ inTheWay, odd }) => inTheWay.length + odd.length > 0).length;
  const faulty = rows.filter(({ faults }) => faults.length > 0).length;
  const names = new Map(instructors.map(({ slug, name }) => [slug, name]));
  const sent = Object.keys(form.values).some((name) => name.startsWith('take-'));
  return (
    <Panel title={rows.length === 1 ? '1 course date' : `${rows.length} course dates`}>
      {skipped.map(({ startDate, endDate, holiday }) => (
        <p key={startDate} className="mb-2 text-sm">
          <b>{formatDays(startDate, endDate)} is left out:</b> {holiday.name} is on {formatDay(holiday.day)}.
        </p>
      ))}
      {unchecked && (
        <p className="mb-2 text-sm font-bold text-fault">
          Our list of public holidays ends on {formatDay(unchecked)}. Check later dates yourself.
        </p>
      )}
      {rows.length === 0 ? (
        <Words>{none}</Words>
      ) : (
        <ActForm
          act="make"
          form={form}
          needs="course-dates:change"
          carries={{ shown }}
          className="grid gap-4"
          look="primary"
          submit={clashing + faulty > 0 ? 'Make the ticked course dates' : `Make ${ofDates(rows.length)}`}
          stays={false}
        >
          <Table
            head={['Make', 'Days', 'Time', 'Course', 'Where', 'Instructor', 'In its way']}
            label="Course dates to make"
          >
            {rows.map(({ wish, title, faults, inTheWay, odd, moved }, at) => (
              <tr key={`${wish.courseId} ${wish.startDate} ${wish.startTime} ${wish.venue} ${wish.instructor}`}>
                <td>
                  {faults.length === 0 && (
                    <input
                      type="checkbox"
                      name={`take-${at}`}
                      aria-label={`Make ${title}, ${formatDays(wish.startDate, wish.endDate)}`}
                      defaultChecked={
                        sent ? form.values[`take-${at}`] !== undefined : inTheWay.length + odd.length === 0
                      }
                      className="size-5 accent-action"
                    />
                  )}
                </td>
                <td>
                  <b>{formatDays(wish.startDate, wish.endDate)}</b>
                  <div className="text-mute">{weekdays(wish)}</div>
                  {moved && (
                    <div>
                      {`${moved.weeks} weeks later, because of ${moved.holidays.map(({ name }) => name).join(', ')}`}
                    </div>
                  )}
                </td>
                <td>
                  {`${formatTime(wish.startTime)} to ${formatTime(wish.endTime)} ${zoneOfDays(zoneIn(wish.venue), [wish.startDate, wish.endDate])}`}
                </td>
                <td>
                  {title}
                  <div className="text-mute">
                    {wish.capacity} seats, minimum {wish.minimum}
                  </div>
                  <div className="text-mute">
                    {wish.decidedBy ? `Decided by ${formatDay(wish.decidedBy)}` : 'Confirmed at once'}
                  </div>
                </td>
                <td>
                  {taughtText(wish)}
                  {wish.joiningDetails?.room && <div className="text-mute">{wish.joiningDetails.room}</div>}
                </td>
                <td>{names.get(wish.instructor) ?? wish.instructor}</td>
                <td>
                  {faults.map((fault) => (
                    <p key={fault} className="font-bold text-fault">
                      Cannot be made: {fault}
                    </p>
                  ))}
                  {inTheWay.map((other) => (
                    <InWay key={`${other.slug} ${other.liveHour} ${other.startDate} ${other.title}`} other={other} />
                  ))}
                  {odd.map((sentence) => (
                    <p key={sentence} className="font-bold text-fault">
                      {sentence}
                    </p>
                  ))}
                  {faults.length + inTheWay.length + odd.length === 0 && 'Nothing'}
                </td>
              </tr>
            ))}
          </Table>
          {clashing > 0 && (
            <div>
              <Choice type="checkbox" id="sure" name="sure" value="yes" defaultChecked={form.values.sure === 'yes'}>
                {sureLabel}
              </Choice>
              {form.errors.sure && <p className="font-semibold text-fault">{form.errors.sure}</p>}
            </div>
          )}
          <p className="max-w-prose text-sm text-mute">
            All of them are made, or none. They are on sale at once. {waiting.length === 0 && 'We email nobody.'}
          </p>
          {waiting.map(({ title, count }) => (
            <p key={title} className="max-w-prose font-semibold">
              {count === 1 ? '1 person waits' : `${count} people wait`} for {title}.{' '}
              {count === 1
                ? 'We offer them a seat at once, by email.'
                : 'We offer them seats at once, in their order, by email.'}
            </p>
          ))}
        </ActForm>
      )}
    </Panel>
  );
}

const ofDates = (count: number) => (count === 1 ? '1 course date' : `${count} course dates`);

const zoneIn = (venue: string | null) =>
  venue === 'Sydney' || venue === 'Melbourne' ? `Australia/${venue}` : 'Australia/Brisbane';

/** `Monday to Thursday`. */
function weekdays({ startDate, endDate }: { startDate: string; endDate: string }): string {
  return startDate === endDate ? weekdayOf(startDate) : `${weekdayOf(startDate)} to ${weekdayOf(endDate)}`;
}
