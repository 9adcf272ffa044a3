import { href } from 'react-router';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm, WhoElse } from '#app/ui/staff/act-form.tsx';
import { TextLink } from '#app/ui/staff/typography.tsx';
import type { Notices as Shown } from './notices.server.ts';

/** Above everything else: backups that need a person, and mail that waits for an owner after a restore. */
export function Notices({ heldSince, backup, form }: Shown & { form: FormState }) {
  return (
    <div className="grid items-start gap-4 empty:hidden lg:grid-cols-2 not-empty:mb-6">
      {backup && (
        <p role="status" className="rounded-card border-2 border-edge bg-card p-4">
          <b className="text-fault">{backup.fault}</b>{' '}
          {backup.newest ? `The newest backup is of ${backup.newest}. ` : ''}Tell the person who looks after the
          program. <TextLink to={backup.to}>Jobs that failed</TextLink>
        </p>
      )}
      {heldSince && (
        <section aria-labelledby="mail-held" className="rounded-card border-2 border-edge bg-card p-4">
          <h2 id="mail-held" className="text-lg">
            Email waits since {heldSince}
          </h2>
          <p className="mt-1 mb-3">
            The database was restored from a backup, so some of these emails may have gone out before. Until an owner
            presses the button we send only codes and links to log in and to enrol.{' '}
            <TextLink to={href('/staff/mail')}>See what waits</TextLink>
          </p>
          <ActForm
            act="held"
            form={form}
            needs="staff:grant"
            to={href('/staff/mail/send-now')}
            submit="Send the mail again"
          />
          <WhoElse needs="staff:grant" can="send the mail again" />
        </section>
      )}
    </div>
  );
}
