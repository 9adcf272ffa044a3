import { Form, href, Link } from 'react-router';
import type { BowerSettings } from '#app/features/bower/queries.server.ts';
import { button } from '#app/ui/button.ts';
import { field, select } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';

type Props = {
  settings: BowerSettings;
  treasures: readonly { slug: string; title: string }[];
  form: FormState;
  formId: string;
};

/** The owner's choices about a bower: its audience and the treasure in its middle (P63). */
export function BowerChoices({ settings: { name, slug, hiddenWhy, avenue }, treasures, form, formId }: Props) {
  const fault = form.errors.name;
  const isPublic = slug !== null && hiddenWhy === null;
  return (
    <section>
      <h2 className="text-2xl">{isPublic ? 'Everybody can see this' : 'Only you can see this'}</h2>
      {hiddenWhy !== null ? (
        <p className="mt-2">
          Our staff have hidden your public bower: {hiddenWhy} Write to us if you think that is wrong.
        </p>
      ) : isPublic ? (
        <p className="mt-2 text-on-satin-mute">
          It is at{' '}
          <Link
            to={href('/bowers/:name', { name: slug })}
            className="font-bold text-on-satin underline underline-offset-4"
          >
            /bowers/{slug}
          </Link>
          , with a picture to share. It shows what you finished, never what is under way.
        </p>
      ) : (
        <p className="mt-2 text-on-satin-mute">
          Make it public and it gets an address and a picture to share. It shows what you finished, never what is under
          way. You can take it back at any time.
        </p>
      )}
      <Form method="post" id={formId} noValidate className="mt-5 grid max-w-md gap-3">
        <input type="hidden" name="act" value="show" />
        <label htmlFor="name" className="font-bold">
          Name
        </label>
        <input
          id="name"
          name="name"
          required
          maxLength={60}
          defaultValue={form.values.name ?? name ?? ''}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? 'name-error' : 'name-hint'}
          className={`${field} text-ink`}
        />
        {fault ? (
          <p id="name-error" className="font-semibold text-straw">
            {fault}
          </p>
        ) : (
          <p id="name-hint" className="text-sm text-on-satin-mute">
            Everybody can read it, for example “Ada”.
          </p>
        )}
        <div className="flex flex-wrap gap-3">
          <button type="submit" className={button.straw}>
            {slug === null ? 'Make it public' : 'Save the name'}
          </button>
        </div>
      </Form>
      {slug !== null && (
        <Form method="post" className="mt-3">
          <input type="hidden" name="act" value="withdraw" />
          <button type="submit" className={button.onSatin}>
            Make it private again
          </button>
        </Form>
      )}
      {treasures.length > 1 && (
        <Form method="post" className="mt-8 grid max-w-md gap-3">
          <input type="hidden" name="act" value="avenue" />
          <label htmlFor="avenue" className="font-bold">
            The treasure in the middle
          </label>
          <select
            id="avenue"
            name="avenue"
            defaultValue={avenue ?? treasures[0]?.slug}
            className={`${select} text-ink`}
          >
            {treasures.map((one) => (
              <option key={one.slug} value={one.slug}>
                {one.title}
              </option>
            ))}
          </select>
          <button type="submit" className={`${button.onSatin} justify-self-start`}>
            Put it in the middle
          </button>
        </Form>
      )}
    </section>
  );
}
