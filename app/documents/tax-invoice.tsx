import { renderToBuffer, Text, View } from '@react-pdf/renderer';
import { formatMoney } from '#app/lib/money.ts';
import type { InvoiceLine, TaxInvoiceFacts } from './invoice-facts.ts';
import { dayText, MoneyPage, Sum, styles } from './money-page.tsx';
import { printable } from './printable.ts';

/** A tax invoice as PDF (P30). Returns its bytes, the same for the same facts. */
export function taxInvoicePdf(facts: TaxInvoiceFacts): Promise<Buffer> {
  return renderToBuffer(<TaxInvoice {...facts} />);
}

function TaxInvoice(facts: TaxInvoiceFacts) {
  const { buyer, payment, totalCents, gstCents, undecided } = facts;
  return (
    <MoneyPage
      {...facts}
      title="Tax invoice"
      facts={[
        ['Invoice number', facts.number],
        ['Date of issue', dayText(facts.issuedOn)],
        ['Due', dayText(facts.dueOn)],
        ['Enrolment', facts.enrolment],
        ...(buyer.purchaseOrder ? [['Purchase order', printable(buyer.purchaseOrder)] as const] : []),
        ...(facts.replaces ? [['In place of', facts.replaces] as const] : []),
      ]}
    >
      <View style={[styles.row, styles.rowHead]} fixed>
        <Text style={[styles.item, styles.strong]}>Item</Text>
        <Text style={[styles.quantity, styles.strong]}>Quantity</Text>
        <Text style={[styles.amount, styles.strong]}>Price incl. GST</Text>
        <Text style={[styles.amount, styles.strong]}>Amount incl. GST</Text>
      </View>
      {grouped(facts.lines).map(({ line, quantity }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a document never change
        <View key={at} style={styles.row} wrap={false}>
          <View style={styles.item}>
            <Text style={styles.strong}>{line.description}</Text>
            <Text style={styles.mute}>{line.detail}</Text>
            {line.discount && (
              <Text style={styles.mute}>
                {line.discount}: {formatMoney(line.priceCents)} less {formatMoney(line.discountCents)}
              </Text>
            )}
          </View>
          <Text style={styles.quantity}>{quantity}</Text>
          <Text style={styles.amount}>{formatMoney(line.amountCents)}</Text>
          <Text style={styles.amount}>{formatMoney(line.amountCents * quantity)}</Text>
        </View>
      ))}
      <View wrap={false}>
        <View style={styles.sums}>
          <Sum name="Total incl. GST" amount={formatMoney(totalCents)} total />
          <Sum name="GST in the total" amount={formatMoney(gstCents)} />
        </View>
        <Text style={styles.note}>Every item is a taxable sale: its price includes GST of one eleventh.</Text>
      </View>
      <View style={styles.box} wrap={false}>
        <Text style={styles.boxTitle}>How to pay</Text>
        {[
          ['Account name', payment.accountName],
          ['BSB', payment.bsb],
          ['Account number', payment.accountNumber],
          ['Reference', payment.reference],
          ['Amount', formatMoney(totalCents)],
          ['Pay by', dayText(facts.dueOn)],
        ].map(([name, value]) => (
          <View key={name} style={styles.fact}>
            <Text style={styles.factName}>{name}</Text>
            <Text style={[styles.factValue, styles.strong]}>{value}</Text>
          </View>
        ))}
        {undecided.map(({ title, decidedBy }) => (
          <Text key={title} style={styles.note}>
            {title} is not confirmed yet; that is decided by {dayText(decidedBy)}. Until it is confirmed nothing of this
            invoice is due, and cancelling is free.
          </Text>
        ))}
      </View>
    </MoneyPage>
  );
}

/** Places that are sold alike, as one item with its quantity. */
function grouped(lines: readonly InvoiceLine[]): { line: InvoiceLine; quantity: number }[] {
  const alike = Map.groupBy(lines, ({ description, detail, priceCents, amountCents, discount }) =>
    JSON.stringify([description, detail, priceCents, amountCents, discount]),
  );
  return [...alike.values()].flatMap((group) => {
    const [line] = group;
    return line ? [{ line, quantity: group.length }] : [];
  });
}
