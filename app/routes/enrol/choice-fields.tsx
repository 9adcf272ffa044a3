import { href, Link } from 'react-router';
import { OwnTime } from '#app/features/course-dates/own-time.tsx';
import {
  type CourseToChoose,
  type DateToChoose,
  mondayField,
  type ProductToChoose,
  staysTentative,
  wayField,
} from '#app/features/enrolments/enrolling/choice.ts';
import { ladder } from '#app/features/money/refund.ts';
import { addDays, type Day, formatDay, formatDayAndMonth } from '#app/lib/dates.ts';
import { formatMoney } from '#app/lib/money.ts';
import { select } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { Sign } from '#app/ui/sign.tsx';

/** The refund for a date and its last day, for an enrolment today (P31). */
export function refundHint(firstDay: Day, today: Day): string {
  const [full, half] = [addDays(firstDay, -ladder.fullDays), addDays(firstDay, -ladder.halfDays)];
  if (full >= today) return `Full refund until ${formatDayAndMonth(full)}`;
  if (half >= today) return `Half refund until ${formatDayAndMonth(half)}`;
  return `No refund after ${ladder.fullHours} hours`;
}

type Props = { form: FormState; today: Day; attendees: number };

/** How each course is taken: a date, guided study or the list of its dates (P38); nothing where an agreement comes first. */
export function ChoiceFields({ product, ...props }: Props & { product: ProductToChoose }) {
  if (product.agreementFirst) {
    return product.courses.map(({ slug }) => (
      <input key={slug} type="hidden" name={wayField(slug)} value="next-date" />
    ));
  }
  return product.courses.map((course) => (
    <WayFields key={course.slug} course={course} inCombo={product.courses.length > 1} {...props} />
  ));
}

/** A row; the chosen one is a card. The gap in front keeps all texts on one line. */
const option =
  'relative grid not-last:after:absolute not-last:after:inset-x-3 not-last:after:-bottom-1 not-last:after:border-b not-last:after:border-line has-[input[type=radio]:checked]:after:hidden grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3 rounded-card border-2 border-transparent px-2.5 py-3.5 -mx-3 sm:-mx-4.5 sm:px-4 has-[input[type=radio]:checked]:border-action has-[input[type=radio]:checked]:bg-card';

function WayFields({ course, form, today, attendees, inCombo }: Props & { course: CourseToChoose; inCombo: boolean }) {
  const { slug, title, dates, mondays, priceCents } = course;
  const name = wayField(slug);
  const error = form.errors[name];
  const radio = (value: string, disabled = false) => ({
    name,
    value,
    disabled,
    defaultChecked: !disabled && form.values[name] === value,
    className: 'mt-0.5 size-6 shrink-0 accent-action',
  });
  const price = inCombo ? '' : `${formatMoney(priceCents)} incl. GST each`;
  return (
    <fieldset id={name} tabIndex={-1} aria-describedby={error ? `${name}-error` : undefined} className="min-w-0">
      <legend className={inCombo ? 'mb-2 font-display text-xl font-bold' : 'sr-only'}>
        {inCombo ? title : 'When and how'}
      </legend>
      {error && (
        <p id={`${name}-error`} className="mb-3 font-semibold text-fault">
          {error}
        </p>
      )}
      <div className="grid gap-1">
        {dates.map((date) =>
          date.seats > 0 ? (
            <label key={date.slug} className={`${option} cursor-pointer`}>
              <input type="radio" {...radio(`course-date:${date.slug}`)} />
              <DateText date={date} attendees={attendees} price={price} refund={refundHint(date.firstDay, today)} />
            </label>
          ) : (
            <div key={date.slug} className={option}>
              <input type="radio" aria-label={`${date.days}, full`} {...radio(`course-date:${date.slug}`, true)} />
              <DateText date={date} attendees={attendees} price="" refund="" />
            </div>
          ),
        )}
        {mondays.length > 0 && (
          <div className={option}>
            <input type="radio" id={`${name}-guided`} {...radio('guided')} />
            <div className="sm:flex sm:justify-between sm:gap-6">
              <div>
                <label htmlFor={`${name}-guided`} className="cursor-pointer">
                  <b className="font-display text-xl leading-7">Guided study</b>
                  <span className="block text-[0.9375rem] text-mute">
                    In your own hours, with marked exercises. Access for 12 months, the same certificate.
                  </span>
                </label>
                <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
                  <label htmlFor={mondayField(slug)}>Start on</label>
                  <select
                    id={mondayField(slug)}
                    name={mondayField(slug)}
                    defaultValue={form.values[mondayField(slug)] ?? mondays[0]}
                    aria-describedby={form.errors[mondayField(slug)] ? `${mondayField(slug)}-error` : undefined}
                    className={`${select} w-auto! max-w-full`}
                  >
                    {mondays.map((monday) => (
                      <option key={monday} value={monday}>
                        {formatDay(monday)}
                      </option>
                    ))}
                  </select>
                  {form.errors[mondayField(slug)] && (
                    <span id={`${mondayField(slug)}-error`} className="block font-semibold text-fault">
                      {form.errors[mondayField(slug)]}
                    </span>
                  )}
                </div>
              </div>
              <Price price={price} under="Full refund while no module is opened, then less for each" />
            </div>
          </div>
        )}
        <label className={`${option} cursor-pointer`}>
          <input type="radio" {...radio('next-date')} />
          <span className="sm:flex sm:justify-between sm:gap-6">
            <span>
              <b className="font-display text-xl leading-7">
                {inCombo ? 'The list for the next date' : 'Tell me about dates'}
              </b>
              <span className="block text-[0.9375rem] text-mute">
                {inCombo
                  ? 'You owe nothing for this course until it has a date. We offer seats in the order of the list.'
                  : 'We offer you a seat when we set a date, and keep it for you for 72 hours.'}
              </span>
            </span>
            <Price price={inCombo ? '' : 'Free to join'} under={inCombo ? '' : 'You decide when we email you'} />
          </span>
        </label>
      </div>
    </fieldset>
  );
}

type DateTextProps = { date: DateToChoose; attendees: number; price: string; refund: string };

function DateText({ date, attendees, price, refund }: DateTextProps) {
  const { slug, days, place, times, ownTimes, decision, state, seats, kept } = date;
  const confirms = state === 'tentative' && !staysTentative(date, attendees);
  return (
    <span className="tabular min-w-0 sm:flex sm:justify-between sm:gap-6">
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <b className={`font-display text-xl leading-7 ${seats > 0 ? '' : 'text-mute'}`}>{days}</b>
          <span
            className={`rounded-full px-2.5 text-sm leading-6 font-semibold ${seats > 0 && seats <= 5 ? 'bg-straw text-on-straw' : 'border border-edge'}`}
          >
            {seats > 0 ? `${seats} ${seats === 1 ? 'seat' : 'seats'} left` : 'Full'}
          </span>
        </span>
        <span className="block text-[0.9375rem] text-mute">
          {place}, {times}
          <OwnTime times={ownTimes} />
        </span>
        {seats > 0 &&
          (confirms ? (
            <b className="mt-0.5 flex items-center gap-2 text-[0.9375rem]">
              <Sign name="check" className="size-4 shrink-0 text-link" />
              With your {attendees === 1 ? 'place' : `${attendees} places`} this course runs.
            </b>
          ) : (
            <span className="block text-[0.9375rem] text-mute">{decision}</span>
          ))}
        {kept && <span className="block text-[0.9375rem] text-mute">{kept}</span>}
        {seats <= 0 && (
          <Link
            to={`${href('/waiting-list')}?courseDate=${slug}`}
            className="inline-block py-1 font-bold text-link underline underline-offset-4"
          >
            Join the waiting list of this date
          </Link>
        )}
      </span>
      <Price price={price} under={refund} />
    </span>
  );
}

function Price({ price, under }: { price: string; under: string }) {
  if (price === '') return null;
  return (
    <span className="mt-1 block shrink-0 sm:mt-0 sm:max-w-56 sm:text-right">
      <b className="block font-display leading-7 sm:text-lg">{price}</b>
      {under && <span className="block text-sm text-mute">{under}</span>}
    </span>
  );
}
