import { Text, View } from '@react-pdf/renderer';
import { formatMoney } from '#app/lib/money.ts';
import type { InvoiceLine, TaxInvoiceFacts } from './invoice-facts.ts';
import { columns, dayText, Facts, MoneyPage, Sum, styles, TableHead } from './money-page.tsx';
import { pdfOf } from './pdf-of.ts';
import { tag } from './structure.ts';
import { Typed, Words } from './words.tsx';

/** A tax invoice as PDF (P30). Returns its bytes, the same for the same facts. */
export function taxInvoicePdf(facts: TaxInvoiceFacts): Promise<Buffer> {
  return pdfOf(facts, <TaxInvoice {...facts} />);
}

function TaxInvoice(facts: TaxInvoiceFacts) {
  const { buyer, payment, totalCents, gstCents, undecided, paidCents = 0 } = facts;
  const isPaid = paidCents > 0 && paidCents === totalCents;
  return (
    <MoneyPage
      {...facts}
      title="Tax invoice"
      facts={[
        ['Invoice number', facts.number],
        ['Date of issue', dayText(facts.issuedOn)],
        ...(isPaid ? [] : [['Due', dayText(facts.dueOn)] as const]),
        ...(facts.terms ? [['Terms', facts.terms] as const] : []),
        ['Enrolment', facts.enrolment],
        ...(buyer.purchaseOrder ? [['Purchase order', buyer.purchaseOrder] as const] : []),
        ...(facts.replaces ? [['In place of', facts.replaces] as const] : []),
      ]}
    >
      <View {...tag('Table')}>
        <TableHead
          columns={['Item', 'Quantity', 'Price incl. GST', 'Amount incl. GST']}
          widths={['item', 'quantity', 'amount', 'amount']}
        />
        {grouped(facts.lines).map(({ line, quantity, who }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a document never change
          <View key={at} style={styles.row} wrap={false} {...tag('TR')}>
            <View style={styles.item} {...tag('TD')}>
              <Typed width={columns.item} style={styles.strong}>
                {line.description}
              </Typed>
              <Typed width={columns.item} style={styles.mute}>
                {line.detail}
              </Typed>
              {who && (
                <Typed width={columns.item} style={styles.mute}>
                  {who}
                </Typed>
              )}
              {line.discount && (
                <Typed width={columns.item} style={styles.mute}>
                  {`${line.discount}: ${formatMoney(line.priceCents)} less ${formatMoney(line.discountCents)}`}
                </Typed>
              )}
            </View>
            <Text style={styles.quantity} {...tag('TD')}>
              {quantity}
            </Text>
            <Text style={styles.amount} {...tag('TD')}>
              {formatMoney(line.amountCents)}
            </Text>
            <Text style={styles.amount} {...tag('TD')}>
              {formatMoney(line.amountCents * quantity)}
            </Text>
          </View>
        ))}
      </View>
      <View wrap={false}>
        <View style={styles.sums} {...tag('Table')}>
          <Sum name="Total incl. GST" amount={formatMoney(totalCents)} total />
          <Sum name="GST in the total" amount={formatMoney(gstCents)} />
        </View>
        <Text style={styles.note}>Every item is a taxable sale: its price includes GST of one eleventh.</Text>
      </View>
      <View style={styles.box} wrap={false}>
        <Text style={styles.boxTitle} {...tag('H2')}>
          {isPaid ? 'Paid' : 'How to pay'}
        </Text>
        {isPaid ? (
          <Text>{formatMoney(totalCents)} was paid before this invoice was issued. Nothing is left to pay.</Text>
        ) : (
          <Facts
            facts={[
              ['Account name', payment.accountName],
              ['BSB', payment.bsb],
              ['Account number', payment.accountNumber],
              ['Reference', payment.reference],
              ...(paidCents > 0 ? [['Paid already', formatMoney(paidCents)] as const] : []),
              ['Amount', formatMoney(totalCents - paidCents)],
              ['Pay by', dayText(facts.dueOn)],
            ]}
            width={columns.pay}
          />
        )}
        {(isPaid ? [] : undecided).map(({ title, decidedBy, moved }) => (
          <Text key={title} style={styles.note}>
            <Words>{title}</Words> is not confirmed yet; we decide by {dayText(decidedBy)}.{' '}
            {moved
              ? 'Until it is confirmed, nothing on this invoice is due.'
              : 'Until it is confirmed, nothing on this invoice is due and cancelling is free.'}
          </Text>
        ))}
      </View>
    </MoneyPage>
  );
}

/** Places sold on the same terms, as one item with its quantity and the names of the attendees. */
function grouped(lines: readonly InvoiceLine[]): { line: InvoiceLine; quantity: number; who: string }[] {
  const groups = Map.groupBy(lines, ({ description, detail, priceCents, amountCents, discount }) =>
    JSON.stringify([description, detail, priceCents, amountCents, discount]),
  );
  return [...groups.values()].flatMap((group) => {
    const [line] = group;
    return line ? [{ line, quantity: group.length, who: namesOf(group) }] : [];
  });
}

/** `For Ada Byron, Mary Jackson and 1 to be named`; empty where no attendee is known. */
function namesOf(lines: readonly InvoiceLine[]): string {
  const named = lines.flatMap(({ attendee }) => attendee ?? []);
  if (named.length === 0) return '';
  const missing = lines.filter(({ attendee }) => attendee === null).length;
  const all = missing > 0 ? [...named, `${missing} to be named`] : named;
  return `For ${all.length === 1 ? all[0] : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`}`;
}
