import { Form, href } from 'react-router';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import { TextLink } from '#app/ui/staff/typography.tsx';

type Props = {
  /** What is bought, and how; both stay in the address. */
  item: string;
  way: string;
  find: string;
  /** Whose details are filled in already. */
  known: string | null;
  buyers: readonly { to: string; text: string; email: string }[];
};

/** Finds somebody who enrolled before, so that their details need not be typed again. */
export function FindBuyer({ item, way, find, known, buyers }: Props) {
  return (
    <section aria-label="The buyer" className="mb-6 max-w-3xl">
      {known && (
        <p>
          Filled in with the details of <b>{known}</b>.{' '}
          <TextLink to={`?${new URLSearchParams({ item, way })}`}>Somebody else</TextLink>
        </p>
      )}
      {!known && (
        <Form action={href('/staff/enrolments/new')} role="search" className="flex flex-wrap items-end gap-3">
          <input type="hidden" name="item" value={item} />
          <input type="hidden" name="way" value={way} />
          <label className="grid min-w-64 flex-1 gap-1">
            <span className="font-semibold">Have they enrolled before?</span>
            <input
              type="search"
              name="find"
              defaultValue={find}
              placeholder="Name, email, organisation or phone"
              className={field}
            />
          </label>
          <button type="submit" className={button.quiet}>
            Find
          </button>
        </Form>
      )}
      {find !== '' && !known && (
        <ul className="mt-2">
          {buyers.map(({ to, text, email }) => (
            <li key={to} className="border-b border-line py-1.5">
              <TextLink to={to}>{text}</TextLink> <span className="text-mute">{email}</span>
            </li>
          ))}
          {buyers.length === 0 && <li className="text-mute">Nobody fits. Type the details below.</li>}
        </ul>
      )}
    </section>
  );
}
