import { SelectField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, OnlyWith } from '#app/ui/staff/act-form.tsx';
import { Panel } from '#app/ui/staff/typography.tsx';
import { endWords } from './end-words.ts';
import { SignInAgain } from './role-fields.tsx';

/** Logs a person with an account out everywhere; for owners. `to` is the page to return to. */
export function EndLogins({ form, fresh, to }: { form: FormState; fresh: boolean; to: string }) {
  return (
    <OnlyWith permission="staff:grant">
      <Panel title="End all logins">
        <SignInAgain fresh={fresh} to={to} />
        <ErrorSummary form={form} labels={{ reason: 'Why' }} formId="end-form" />
        <EndForm form={form} />
      </Panel>
    </OnlyWith>
  );
}

/** The form that ends all logins. */
export function EndForm({ form }: { form: FormState }) {
  return (
    <ActForm
      act="end"
      form={form}
      needs="staff:grant"
      submit="End all logins"
      look="danger"
      className="grid max-w-xl gap-3"
    >
      <p className="text-sm text-mute">They are logged out everywhere at once and told by email.</p>
      <SelectField form={form} name="reason" label="Why" required>
        <option value="">Choose why</option>
        {Object.entries(endWords).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </SelectField>
    </ActForm>
  );
}
