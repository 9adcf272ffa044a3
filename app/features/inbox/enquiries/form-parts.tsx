import { href, Link } from 'react-router';
import { FormGuards, TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { consentWording } from './options.ts';

/** First name, last name, email and telephone: the same in every form. */
export function PersonFields({ form }: { form: FormState }) {
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField form={form} name="firstName" label="First name" autoComplete="given-name" required />
        <TextField form={form} name="lastName" label="Last name" autoComplete="family-name" required />
      </div>
      <TextField form={form} name="email" label="Email" type="email" autoComplete="email" required />
      <TextField form={form} name="phone" label="Phone" type="tel" autoComplete="tel" />
    </>
  );
}

/** The guards, the consent of its own, and the notice of what happens to the data. */
export function FormFoot({ form }: { form: FormState }) {
  return (
    <>
      <FormGuards form={form} />
      <label className="flex gap-3">
        <input
          type="checkbox"
          name="consent"
          defaultChecked={form.values.consent === 'on'}
          className="mt-1 size-5 shrink-0 accent-action"
        />
        <span>{consentWording}</span>
      </label>
      <p className="text-sm text-mute">
        We use what you send only to answer you, unless you tick the box.{' '}
        <Link to={href('/privacy')} className="font-bold text-link underline underline-offset-4">
          How we treat your data
        </Link>
      </p>
    </>
  );
}

export const personLabels = { firstName: 'First name', lastName: 'Last name', email: 'Email', phone: 'Phone' };
