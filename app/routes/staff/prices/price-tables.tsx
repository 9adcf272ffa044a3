import type { FormState } from '#app/ui/form-state.ts';
import { ActForm, ButtonText, SendButton } from '#app/ui/staff/act-form.tsx';
import { NumberCell } from '#app/ui/staff/cells.tsx';
import { Section } from '#app/ui/staff/page-head.tsx';
import { Table, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/course-prices';

type Data = Route.ComponentProps['loaderData'];

/** Every period of a price, the latest first. */
export function Periods({ periods }: { periods: Data['periods'] }) {
  return (
    <Section title="Periods">
      <Table
        head={[
          'From',
          'Until',
          { text: 'Price, AU$', right: true },
          { text: 'Struck through, AU$', right: true },
          'What proves it',
          'Who',
          { text: 'Places', right: true },
        ]}
        label="Periods of the price"
        minWidth="min-w-[44rem]"
      >
        {periods.map(({ id, from, until, price, original, proof, who, note, places }) => (
          <tr key={id}>
            <td>{from}</td>
            <td>{until ?? 'now'}</td>
            <NumberCell>{price}</NumberCell>
            <NumberCell>{original}</NumberCell>
            <td>{proof}</td>
            <td>
              {who}
              {note && <div className="text-mute">{note}</div>}
            </td>
            <NumberCell>{places}</NumberCell>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

/** Changes to come, and those that were refused when their day came. */
export function PlannedPrices({ planned, form }: { planned: Data['planned']; form: FormState }) {
  return (
    <Section title="Planned changes">
      {planned.length === 0 ? (
        <Words>None.</Words>
      ) : (
        <Table
          head={[
            'From',
            { text: 'Price, AU$', right: true },
            { text: 'Struck through, AU$', right: true },
            'Who',
            'Act',
          ]}
          label="Planned changes"
        >
          {planned.map(({ id, from, waits, price, original, who, note, fault }) => (
            <tr key={id}>
              <td>
                {from}
                {waits && <div className="text-mute">When the promotion of combos has ended</div>}
              </td>
              <NumberCell>{price}</NumberCell>
              <NumberCell>{original}</NumberCell>
              <td>
                {who}
                {note && <div className="text-mute">{note}</div>}
              </td>
              <td>
                {fault ? (
                  <p className="font-semibold text-fault">Not made. {fault}</p>
                ) : (
                  <ActForm
                    act="withdraw"
                    id={null}
                    form={form}
                    needs="prices:change"
                    carries={{ plan: id }}
                    className=""
                  >
                    <SendButton look="danger">
                      <ButtonText about={`the change of ${from}`}>Withdraw</ButtonText>
                    </SendButton>
                  </ActForm>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}
