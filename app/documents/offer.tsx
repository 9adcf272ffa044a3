import { Link, Text, View } from '@react-pdf/renderer';
import { formatMoney } from '#app/lib/money.ts';
import { columns, dayText, MoneyPage, Sum, styles, TableHead } from './money-page.tsx';
import type { OfferSheet } from './offer-facts.ts';
import { pdfOf } from './pdf-of.ts';
import { tag } from './structure.ts';
import { breaking, Typed, Words } from './words.tsx';

/** A quote as PDF (P111). Returns its bytes, the same for the same facts. */
export function offerPdf(facts: OfferSheet): Promise<Buffer> {
  return pdfOf(facts, <Offer {...facts} />);
}

function Offer(facts: OfferSheet) {
  const { buyer, lines, totalCents, gstCents, lastDay, link } = facts;
  const later = lines.some((line) => line.later);
  return (
    <MoneyPage
      {...facts}
      buyer={{ ...buyer, purchaseOrder: null }}
      title="Quote"
      facts={[
        ['Quote number', facts.number],
        ['Date', dayText(facts.issuedOn)],
        ['Open until', dayText(lastDay)],
        ['People', String(facts.people)],
      ]}
    >
      {facts.words && (
        <View style={{ marginBottom: 16 }}>
          <Typed width={columns.page}>{facts.words}</Typed>
        </View>
      )}
      <View {...tag('Table')}>
        <TableHead
          columns={['Item', 'People', 'Price incl. GST', 'Amount incl. GST']}
          widths={['item', 'quantity', 'amount', 'amount']}
        />
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a document never change
          <View key={at} style={styles.row} wrap={false} {...tag('TR')}>
            <View style={styles.item} {...tag('TD')}>
              <Typed width={columns.item} style={styles.strong}>
                {line.description}
              </Typed>
              <Typed width={columns.item} style={styles.mute}>
                {line.detail}
              </Typed>
              {line.discount && (
                <Typed width={columns.item} style={styles.mute}>
                  {`${line.discount}: ${formatMoney(line.priceCents)} less ${formatMoney(line.discountCents)}`}
                </Typed>
              )}
            </View>
            <Text style={styles.quantity} {...tag('TD')}>
              {line.quantity}
            </Text>
            <Text style={styles.amount} {...tag('TD')}>
              {formatMoney(line.priceCents - line.discountCents)}
            </Text>
            <Text style={styles.amount} {...tag('TD')}>
              {formatMoney(line.amountCents)}
            </Text>
          </View>
        ))}
      </View>
      <View wrap={false} style={{ flexDirection: 'row' }}>
        <Text style={[styles.note, { width: 190 }]}>
          This is a quote and no tax invoice. We issue the tax invoice when you accept
          {later ? ', and for a course on its next date once it has one.' : '.'}
        </Text>
        <View style={styles.sums} {...tag('Table')}>
          <Sum name="Total incl. GST" amount={formatMoney(totalCents)} total />
          <Sum name="GST in the total" amount={formatMoney(gstCents)} />
        </View>
      </View>
      <View style={styles.box} wrap={false}>
        <Text style={styles.boxTitle} {...tag('H2')}>
          How to accept
        </Text>
        <Text hyphenationCallback={breaking(columns.pay, 10)}>
          The price holds until {dayText(lastDay)}. {facts.held}
        </Text>
        <Text style={{ marginTop: 6 }}>{facts.due}</Text>
        {link ? (
          <Text style={{ marginTop: 6 }} hyphenationCallback={breaking(columns.page, 10)}>
            Accept or decline it on its page:{' '}
            <Link src={link} style={styles.link}>
              {link}
            </Link>
          </Text>
        ) : (
          <Text style={{ marginTop: 6 }}>Accept or decline it by the link in our email.</Text>
        )}
      </View>
      <View style={{ marginTop: 20 }} wrap={false}>
        <Text style={styles.boxTitle} {...tag('H2')}>
          If you accept today and cancel later
        </Text>
        {facts.refunds.map((line) => (
          <Text key={line} style={{ marginBottom: 2 }}>
            <Words>{line}</Words>
          </Text>
        ))}
        <Text style={[styles.note, { marginTop: 6 }]}>
          The terms on our website on this day apply. Your rights under the Australian Consumer Law apply in every case.
        </Text>
      </View>
    </MoneyPage>
  );
}
