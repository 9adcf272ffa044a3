import { Form } from 'react-router';
import { signInPaths } from '#app/features/people/sign-in-paths.ts';
import { button } from '#app/ui/button.ts';

const words = {
  player: { please: 'Please log in again', button: 'Log in again' },
  staff: { please: 'You are staff. Please sign in to the staff pages again', button: 'Sign in again' },
};

type Props = {
  due: keyof typeof words;
  /** The page to come back to. */
  to: string;
  /** The act that waits, as in "before you …". */
  children: string;
};

/** Leads a player to the sign-in of the last ten minutes that something asks for (P54). */
export function LogInAgain({ due, to, children }: Props) {
  return (
    <Form method="get" action={signInPaths[due].ask} reloadDocument>
      <p className="mb-4">{`${words[due].please} before you ${children}. After that you have ten minutes.`}</p>
      <input type="hidden" name="again" value="" />
      <input type="hidden" name="to" value={to} />
      <button type="submit" className={button.primary}>
        {words[due].button}
      </button>
    </Form>
  );
}
