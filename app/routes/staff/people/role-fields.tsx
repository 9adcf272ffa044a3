import { roles } from '#app/features/people/permissions.ts';
import { SelectField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ActLink } from '#app/ui/staff/typography.tsx';

/** The purpose of each role, in a sentence. */
export const roleWords = {
  owner: 'does everything, and gives roles',
  admissions: 'looks after enquiries, enrolments and money',
  editor: 'writes content',
  instructor: 'teaches: sees their own course dates',
  reader: 'sees everything, changes nothing',
} as const;

type Props = { form: FormState; instructors: readonly { slug: string; name: string }[] };

/** The fields that say which role. */
export function RoleFields({ form, instructors }: Props) {
  return (
    <>
      <SelectField form={form} name="role" label="Role" required>
        <option value="">Choose a role</option>
        {roles.map((role) => (
          <option key={role} value={role}>
            {role}: {roleWords[role]}
          </option>
        ))}
      </SelectField>
      <SelectField form={form} name="teachesAs" label="Teaches as" hint="For the role instructor only.">
        <option value="">Nobody</option>
        {instructors.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </SelectField>
    </>
  );
}

/** Sends staff who signed in more than ten minutes ago to do so again; nothing for others. */
export function SignInAgain({ fresh, to }: { fresh: boolean; to: string }) {
  if (fresh) return null;
  return (
    <p className="mb-4 max-w-prose">
      To change roles or end logins, you must have signed in within the last ten minutes.{' '}
      <ActLink to={`/staff/sign-in?${new URLSearchParams({ again: '', to })}`}>Sign in again</ActLink>
    </p>
  );
}
