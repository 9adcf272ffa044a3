import { Document, Link, Page, StyleSheet, Text, View } from '@react-pdf/renderer';
import type { ReactNode } from 'react';
import { formatAbn } from '#app/lib/abn.ts';
import { type Day, formatDays } from '#app/lib/dates.ts';
import { displayFont, textFont } from './brand-fonts.ts';
import { AcademyMark, footStyle, ink, Labelled, side } from './brand-parts.tsx';
import type { TaxInvoiceFacts } from './invoice-facts.ts';
import { headingOf, tag } from './structure.ts';
import { Typed } from './words.tsx';

/** Widths of columns in points, for words that are wider. */
export const columns = { party: 275, fact: 104, item: 244, pay: 350, page: 495 } as const;

export const styles = StyleSheet.create({
  page: { fontFamily: textFont, fontSize: 10, color: ink.text, paddingTop: 40, paddingBottom: 78 },
  head: {
    backgroundColor: ink.satin,
    paddingHorizontal: side,
    paddingTop: 34,
    marginTop: -40,
    paddingBottom: 30,
    marginBottom: 28,
    borderBottomWidth: 5,
    borderBottomColor: ink.straw,
    flexDirection: 'row',
    justifyContent: 'space-between',
    alignItems: 'center',
  },
  title: { fontFamily: displayFont, fontWeight: 700, fontSize: 27, lineHeight: 1.1, color: ink.straw },
  // Not on the page: there it would make text that is rendered by page vanish.
  body: { paddingHorizontal: side, fontSize: 10, lineHeight: 1.45 },
  columns: { flexDirection: 'row', justifyContent: 'space-between', marginBottom: 26 },
  parties: { width: '56%' },
  facts: { width: '42%' },
  strong: { fontWeight: 700 },
  mute: { color: ink.mute },
  fact: { flexDirection: 'row', marginBottom: 2 },
  factName: { width: 104, color: ink.mute },
  factValue: { flex: 1 },
  row: { flexDirection: 'row', borderBottomWidth: 1, borderBottomColor: ink.line, paddingVertical: 8 },
  rowHead: { borderBottomColor: ink.text, paddingVertical: 5 },
  item: { flex: 1, paddingRight: 14 },
  quantity: { width: 56, textAlign: 'right' },
  amount: { width: 92, textAlign: 'right' },
  sums: { marginTop: 12, marginLeft: 'auto', width: 280 },
  sum: { flexDirection: 'row', justifyContent: 'space-between', paddingVertical: 2 },
  total: { fontFamily: displayFont, fontWeight: 700, fontSize: 15, lineHeight: 1.2, paddingVertical: 5 },
  box: {
    marginTop: 24,
    padding: 16,
    backgroundColor: ink.paper,
    borderWidth: 1,
    borderColor: ink.straw,
    borderRadius: 8,
  },
  boxTitle: { fontFamily: displayFont, fontWeight: 700, fontSize: 13, marginBottom: 7 },
  link: { color: ink.blue, textDecoration: 'none' },
  note: { marginTop: 12, color: ink.mute },
  foot: footStyle,
});

type Props = Pick<TaxInvoiceFacts, 'number' | 'issuedOn' | 'seller' | 'buyer'> & {
  title: string;
  facts: readonly (readonly [name: string, value: string])[];
  children: ReactNode;
};

/**
 * The page that tax invoice and adjustment note share: title, seller, buyer, facts. The date inside the file is the
 * day of issue, so that the same facts give the same bytes.
 */
export function MoneyPage({ title, number, issuedOn, seller, buyer, facts, children }: Props) {
  const date = new Date(`${issuedOn}T00:00:00Z`);
  return (
    <Document
      title={`${title} ${number}`}
      author={seller.name}
      language="en-AU"
      creationDate={date}
      producer={seller.tradingAs}
      creator={seller.tradingAs}
    >
      <Page size="A4" style={styles.page}>
        <View style={styles.head}>
          <AcademyMark name={seller.tradingAs} dark />
          <Text style={styles.title} {...tag('H1')}>
            {title}
          </Text>
        </View>
        <View style={styles.foot} fixed {...tag('Artifact')}>
          <Text>
            {seller.email} · {seller.phone}
          </Text>
          <Text render={({ pageNumber, totalPages }) => `${title} ${number}, page ${pageNumber} of ${totalPages}`} />
        </View>
        <View style={styles.body}>
          <View style={styles.columns}>
            <View style={styles.parties}>
              <Labelled label="To">
                {buyer.organisation && (
                  <Typed width={columns.party} style={styles.strong}>
                    {buyer.organisation}
                  </Typed>
                )}
                <Typed width={columns.party} style={buyer.organisation ? {} : styles.strong}>
                  {buyer.name}
                </Typed>
                {buyer.address && <Typed width={columns.party}>{buyer.address}</Typed>}
                {buyer.abn && <Text>ABN {formatAbn(buyer.abn)}</Text>}
              </Labelled>
              <View style={{ marginTop: 14 }}>
                <Labelled label="From">
                  <Text style={styles.strong}>{seller.name}</Text>
                  <Text>ABN {formatAbn(seller.abn)}</Text>
                  <Text>{seller.address}</Text>
                  <Text>
                    <Link src={`mailto:${seller.email}`} style={styles.link}>
                      {seller.email}
                    </Link>
                  </Text>
                </Labelled>
              </View>
            </View>
            <View style={styles.facts}>
              <Facts facts={facts} />
            </View>
          </View>
          {children}
        </View>
      </Page>
    </Document>
  );
}

/** Names and values, a table to a screen reader. */
export function Facts({ facts, width = columns.fact }: { facts: Props['facts']; width?: number }) {
  return (
    <View {...tag('Table')}>
      {facts.map(([name, value]) => (
        <View key={name} style={styles.fact} {...tag('TR')}>
          <Text style={styles.factName} {...headingOf('Row')}>
            {name}
          </Text>
          <View style={styles.factValue} {...tag('TD')}>
            <Typed width={width} style={styles.strong}>
              {value}
            </Typed>
          </View>
        </View>
      ))}
    </View>
  );
}

/** A row of a table of amounts, inside a `View` with the tag `Table`. */
export function Sum({ name, amount, total = false }: { name: string; amount: string; total?: boolean }) {
  return (
    <View style={total ? [styles.sum, styles.total] : styles.sum} {...tag('TR')}>
      <Text {...headingOf('Row')}>{name}</Text>
      <Text {...tag('TD')}>{amount}</Text>
    </View>
  );
}

/** The headings of a table's columns, on each of its pages. The first column is the item's. */
export function TableHead({ columns: names, widths }: { columns: readonly string[]; widths: readonly Width[] }) {
  return (
    <View style={[styles.row, styles.rowHead]} fixed {...tag('TR')}>
      {names.map((name, at) => (
        <Text key={name} style={[styles[widths[at] ?? 'amount'], styles.strong]} {...headingOf('Column')}>
          {name}
        </Text>
      ))}
    </View>
  );
}

type Width = 'item' | 'quantity' | 'amount';

/** `15 September 2025`. */
export const dayText = (day: Day) => formatDays(day, day);
