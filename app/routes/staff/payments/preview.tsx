import { Form, href, Link, useNavigation } from 'react-router';
import { ActFields, Panel, Table, TextLink } from '#app/routes/staff/frame/parts.tsx';
import { button } from '#app/ui/button.ts';
import type { FormState } from '#app/ui/form-state.ts';
import type { ShownPreview } from './shown-money.server.ts';

/** What a bank statement would do, before it is recorded. */
export function Preview({ preview, form }: { preview: ShownPreview; form: FormState }) {
  const sending = useNavigation().state === 'submitting';
  const { text, lines, faults, outgoing, newCount, unmatchedCount, total } = preview;
  return (
    <Panel title="What this statement would do">
      <p className="mb-3 max-w-prose">
        {newCount} new {newCount === 1 ? 'payment' : 'payments'} of together {total}, {unmatchedCount} of them without
        an enrolment; {lines.length - newCount} recorded before; {outgoing} lines that are no money coming in. Nothing
        is stored yet.
      </p>
      {faults.length > 0 && (
        <ul role="alert" className="mb-3 grid list-disc gap-1 pl-5 font-semibold text-fault">
          {faults.map(({ line, why }) => (
            <li key={line}>
              Line {line} is left out: {why}
            </li>
          ))}
        </ul>
      )}
      <Table head={['Line', 'Day', 'Amount', 'Words', 'Enrolment', 'Afterwards']} label="Lines of the statement">
        {lines.map(({ line, day, amount, words, known, reference, what }) => (
          <tr key={line} className={known ? 'text-mute' : ''}>
            <td>{line}</td>
            <td>{day}</td>
            <td className="font-bold">{amount}</td>
            <td className="break-words">{words}</td>
            <td>
              {reference && <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink>}
            </td>
            <td>{what}</td>
          </tr>
        ))}
      </Table>
      <Form id="statement-form" method="post" className="mt-4 flex flex-wrap gap-3">
        <ActFields form={form} act="record" />
        <textarea name="statement" defaultValue={text} hidden readOnly />
        <button type="submit" disabled={sending || newCount === 0} className={button.primary}>
          Record {newCount} {newCount === 1 ? 'payment' : 'payments'}
        </button>
        <Link to={href('/staff/payments')} className={button.quiet}>
          Leave it
        </Link>
      </Form>
    </Panel>
  );
}
