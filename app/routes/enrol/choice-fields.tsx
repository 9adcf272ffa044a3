import { type CourseToChoose, mondayField, type ProductToChoose, wayField } from '#app/features/enrolling/choice.ts';
import { formatDay } from '#app/lib/dates.ts';
import { select } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';

/** How each course is taken: a date, guided study or the list for the next date (P38). */
export function ChoiceFields({ product, form }: { product: ProductToChoose; form: FormState }) {
  return product.courses.map((course) => (
    <WayFields key={course.slug} course={course} form={form} inCombo={product.courses.length > 1} />
  ));
}

const option =
  'flex min-h-12 gap-3 rounded-control border border-edge bg-card px-4 py-3 has-[input:checked]:border-action has-[input:checked]:ring-2 has-[input:checked]:ring-action';

function WayFields({ course, form, inCombo }: { course: CourseToChoose; form: FormState; inCombo: boolean }) {
  const { slug, title, dates, mondays } = course;
  const name = wayField(slug);
  const error = form.errors[name];
  const radio = (value: string, disabled = false) => ({
    name,
    value,
    disabled,
    defaultChecked: !disabled && form.values[name] === value,
    className: 'mt-0.5 size-5 shrink-0 accent-action',
  });
  return (
    <fieldset id={name} tabIndex={-1} aria-describedby={error ? `${name}-error` : undefined} className="min-w-0">
      <legend className="mb-3 font-display text-xl font-bold">{inCombo ? title : 'When and how'}</legend>
      {error && (
        <p id={`${name}-error`} className="mb-3 font-semibold text-fault">
          {error}
        </p>
      )}
      <div className="grid gap-3">
        {dates.map(({ slug: date, days, place, times, decision, seats, kept }) => (
          <label key={date} className={`${option} ${seats > 0 ? 'hover:border-ink' : 'text-mute'}`}>
            <input type="radio" {...radio(`session:${date}`, seats <= 0)} />
            <span className="tabular min-w-0">
              <b className="block">{days}</b>
              <span className="block text-mute">
                {place}, {times}
              </span>
              <span className="block text-mute">{decision}</span>
              <b>{seats > 0 ? `${seats} ${seats === 1 ? 'seat' : 'seats'} left` : 'Full'}</b>
              {kept && <span className="block text-mute">{kept}</span>}
            </span>
          </label>
        ))}
        {mondays.length > 0 && (
          <div className={`${option} flex-wrap hover:border-ink`}>
            <label className="flex grow basis-60 gap-3">
              <input type="radio" {...radio('guided')} />
              <span>
                <b className="block">Guided study</b>
                <span className="block text-mute">
                  Your own hours from a Monday you choose, access for 12 months, marked exercises and a live hour a
                  week. The same price and certificate.
                </span>
              </span>
            </label>
            <span className="pl-8 sm:pl-0">
              <label htmlFor={mondayField(slug)} className="mb-1 block text-sm">
                Begins on
              </label>
              <select
                id={mondayField(slug)}
                name={mondayField(slug)}
                defaultValue={form.values[mondayField(slug)] ?? mondays[0]}
                aria-describedby={form.errors[mondayField(slug)] ? `${mondayField(slug)}-error` : undefined}
                className={select}
              >
                {mondays.map((monday) => (
                  <option key={monday} value={monday}>
                    {formatDay(monday)}
                  </option>
                ))}
              </select>
              {form.errors[mondayField(slug)] && (
                <span id={`${mondayField(slug)}-error`} className="mt-1 block font-semibold text-fault">
                  {form.errors[mondayField(slug)]}
                </span>
              )}
            </span>
          </div>
        )}
        <label className={`${option} hover:border-ink`}>
          <input type="radio" {...radio('next-date')} />
          <span>
            <b className="block">The list for the next date</b>
            <span className="block text-mute">
              {inCombo
                ? 'Nothing is owed for this course until it has a date; we offer you a seat in order.'
                : 'Free and without obligation: staff offer you a seat when they set a date.'}
            </span>
          </span>
        </label>
      </div>
    </fieldset>
  );
}
