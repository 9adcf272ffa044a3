import type { ReactNode } from 'react';
import { Form } from 'react-router';
import { button } from '#app/ui/button.ts';

/** Leads a player to the sign-in at `at`, and back to `to`, for what asks for a sign-in of the last ten minutes (P54). */
export function LogInAgain({ at, to, children }: { at: string; to: string; children: ReactNode }) {
  return (
    <Form method="get" action={at} reloadDocument>
      <p className="mb-4">{children} After that you have ten minutes.</p>
      <input type="hidden" name="again" value="" />
      <input type="hidden" name="to" value={to} />
      <button type="submit" className={button.primary}>
        Log in again
      </button>
    </Form>
  );
}
