import { renderToBuffer, Text, View } from '@react-pdf/renderer';
import { formatMoney } from '#app/lib/money.ts';
import type { AdjustmentNoteFacts } from './invoice-facts.ts';
import { dayText, MoneyPage, Sum, styles } from './money-page.tsx';
import { printable } from './printable.ts';

/** An adjustment note as PDF (P30). Returns its bytes, the same for the same facts. */
export function adjustmentNotePdf(facts: AdjustmentNoteFacts): Promise<Buffer> {
  return renderToBuffer(<AdjustmentNote {...facts} />);
}

function AdjustmentNote(facts: AdjustmentNoteFacts) {
  const { invoice, before, after } = facts;
  return (
    <MoneyPage
      {...facts}
      title="Adjustment note"
      facts={[
        ['Note number', facts.number],
        ['Date of issue', dayText(facts.issuedOn)],
        ['For tax invoice', invoice.number],
        ['Issued on', dayText(invoice.issuedOn)],
        ['Enrolment', facts.enrolment],
      ]}
    >
      <Text style={{ marginBottom: 16 }}>
        <Text style={styles.strong}>Reason: </Text>
        {printable(facts.reason)}
      </Text>
      <View style={[styles.row, styles.rowHead]} fixed>
        <Text style={[styles.item, styles.strong]}>Item</Text>
        <Text style={[styles.amount, styles.strong]}>Price falls by</Text>
        <Text style={[styles.amount, styles.strong]}>GST in it</Text>
      </View>
      {facts.lines.map(({ description, detail, amountCents, gstCents }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a document never change
        <View key={at} style={styles.row} wrap={false}>
          <View style={styles.item}>
            <Text style={styles.strong}>{description}</Text>
            <Text style={styles.mute}>{detail}</Text>
          </View>
          <Text style={styles.amount}>{formatMoney(amountCents)}</Text>
          <Text style={styles.amount}>{formatMoney(gstCents)}</Text>
        </View>
      ))}
      <View style={styles.sums} wrap={false}>
        <Sum name="Difference in price" amount={formatMoney(facts.totalCents)} total />
        <Sum name="Difference in GST" amount={formatMoney(facts.gstCents)} />
      </View>
      <View style={styles.box} wrap={false}>
        <Text style={styles.boxTitle}>What is left of {invoice.number}</Text>
        <Sum name="Price before, incl. GST" amount={formatMoney(before.totalCents)} />
        <Sum name="GST before" amount={formatMoney(before.gstCents)} />
        <Sum name="Price after, incl. GST" amount={formatMoney(after.totalCents)} />
        <Sum name="GST after" amount={formatMoney(after.gstCents)} />
        {after.totalCents > 0 && (
          <Text style={styles.note}>What is kept stays a taxable sale: its price includes GST of one eleventh.</Text>
        )}
      </View>
    </MoneyPage>
  );
}
