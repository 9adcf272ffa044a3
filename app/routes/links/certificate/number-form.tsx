import { href } from 'react-router';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';

/** Room for the address of a certificate's page, and for the words around a number. */
export const longestTyped = 200;

/** Leads to the page of a number; a form of the browser's own, which needs no script. */
export function NumberForm({ typed = '' }: { typed?: string }) {
  return (
    <form action={href('/certificates')} className="grid max-w-md gap-3">
      <label htmlFor="number" className="font-bold">
        Number of the certificate
      </label>
      <p id="number-hint" className="text-sm text-mute">
        13 letters and digits, such as 7HK4 M2QX 9TRC P. It is printed beside the square code.
      </p>
      <input
        id="number"
        name="number"
        required
        maxLength={longestTyped}
        defaultValue={typed}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        aria-describedby="number-hint"
        className={field}
      />
      <div>
        <button type="submit" className={button.primary}>
          Check it
        </button>
      </div>
    </form>
  );
}
