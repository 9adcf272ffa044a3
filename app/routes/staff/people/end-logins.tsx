import type { EndReason } from '#app/features/people/roles.server.ts';
import { SelectField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, OnlyWith } from '#app/ui/staff/act-form.tsx';
import { Panel } from '#app/ui/staff/typography.tsx';
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

/** Why logins are ended, as the person who ends them chooses it. */
const endWords: Record<EndReason, string> = {
  lost: 'Their phone or computer was lost',
  asked: 'They asked us to',
  strange: 'We saw a login that may not be theirs',
  left: 'They no longer work with us',
};
