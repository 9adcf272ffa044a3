import { Text, View } from '@react-pdf/renderer';
import { formatMoney } from '#app/lib/money.ts';
import type { AdjustmentNoteFacts } from './invoice-facts.ts';
import { columns, dayText, MoneyPage, Sum, styles, TableHead } from './money-page.tsx';
import { pdfOf } from './pdf-of.ts';
import { tag } from './structure.ts';
import { breaking, Typed, Words } from './words.tsx';

/** An adjustment note as PDF (P30). Returns its bytes, the same for the same facts. */
export function adjustmentNotePdf(facts: AdjustmentNoteFacts): Promise<Buffer> {
  return pdfOf(facts, <AdjustmentNote {...facts} />);
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
      <Text style={{ marginBottom: 16 }} hyphenationCallback={breaking(columns.page, 10)}>
        <Text style={styles.strong}>Reason: </Text>
        <Words>{facts.reason}</Words>
      </Text>
      <View {...tag('Table')}>
        <TableHead columns={['Item', 'Price reduced by', 'GST in it']} widths={['item', 'amount', 'amount']} />
        {facts.lines.map(({ description, detail, amountCents, gstCents }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a document never change
          <View key={at} style={styles.row} wrap={false} {...tag('TR')}>
            <View style={styles.item} {...tag('TD')}>
              <Typed width={columns.item} style={styles.strong}>
                {description}
              </Typed>
              <Typed width={columns.item} style={styles.mute}>
                {detail}
              </Typed>
            </View>
            <Text style={styles.amount} {...tag('TD')}>
              {formatMoney(amountCents)}
            </Text>
            <Text style={styles.amount} {...tag('TD')}>
              {formatMoney(gstCents)}
            </Text>
          </View>
        ))}
      </View>
      <View style={styles.sums} wrap={false} {...tag('Table')}>
        <Sum name="Difference in price" amount={formatMoney(facts.totalCents)} total />
        <Sum name="Difference in GST" amount={formatMoney(facts.gstCents)} />
      </View>
      <View style={styles.box} wrap={false}>
        <Text style={styles.boxTitle} {...tag('H2')}>
          What is left of {invoice.number}
        </Text>
        <View {...tag('Table')}>
          <Sum name="Price before, incl. GST" amount={formatMoney(before.totalCents)} />
          <Sum name="GST before" amount={formatMoney(before.gstCents)} />
          <Sum name="Price after, incl. GST" amount={formatMoney(after.totalCents)} />
          <Sum name="GST after" amount={formatMoney(after.gstCents)} />
        </View>
        {after.totalCents > 0 && (
          <Text style={styles.note}>The rest stays a taxable sale: its price includes GST of one eleventh.</Text>
        )}
      </View>
    </MoneyPage>
  );
}
