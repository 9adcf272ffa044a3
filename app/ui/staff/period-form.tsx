import { Form } from 'react-router';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';
import { ActLink } from './typography.tsx';

type Props = {
  /** First and last day, as ISO text. */
  from: string;
  to: string;
  /** Why the days that were asked for are not shown, in a sentence. */
  fault: string | null;
  usual?: readonly { text: string; to: string }[];
  /** More fields of the form. */
  children?: React.ReactNode;
};

/** Chooses the days that a page is about: its address has them. */
export function PeriodForm({ from, to, fault, usual = [], children }: Props) {
  return (
    <div className="mb-6 grid gap-3 print:hidden">
      <Form key={`${from} ${to}`} className="flex flex-wrap items-end gap-3">
        {children}
        <label className="grid gap-1 text-sm font-semibold">
          First day
          <input type="date" name="from" required defaultValue={from} className={field} />
        </label>
        <label className="grid gap-1 text-sm font-semibold">
          Last day
          <input type="date" name="to" required defaultValue={to} className={field} />
        </label>
        <button type="submit" className={button.quiet}>
          Show
        </button>
      </Form>
      {fault && (
        <p role="alert" className="font-semibold text-fault">
          {`${fault} The last twelve weeks are shown instead.`}
        </p>
      )}
      {usual.length > 0 && (
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          {usual.map((one) => (
            <ActLink key={one.text} to={one.to}>
              {one.text}
            </ActLink>
          ))}
        </p>
      )}
    </div>
  );
}
