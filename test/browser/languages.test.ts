// Goal: a consumer reads the whole checkout in their language, however it was chosen, with amounts as their country
// writes them, and loses nothing by changing it. Method: a real Chromium; the sentences stand here as they must be read.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { CARDS } from '../support/checkout.ts';
import { depth, isRelease } from '../support/depth.ts';
import {
  bank,
  CARD_NUMBER,
  choice,
  CVC,
  errorAt,
  EXPIRY,
  field,
  fillCard,
  fillConsumer,
  fillIn,
  formError,
  heading,
  KNOWN,
  NATIONAL_NUMBER,
  openStage,
  payButton,
  payByCard,
  press,
  untilSaid,
  untilState,
} from './paying-page.ts';

const stage = openStage();

const AMOUNT = 123_456_789;

const LANGUAGES = {
  en: {
    tag: 'en-GB',
    button: 'Pay SEK 1,234,567.89',
    heading: 'Your details',
    email: 'Enter your email address.',
    postalCode: 'Enter a postcode like 111 22.',
    errors: '{count} fields need your attention.',
    declined: 'The payment was declined. Nothing has been charged. Try another card or another way to pay.',
    bank: 'Confirm your payment',
    rejected: 'The payment was not confirmed with your bank. Nothing has been charged. You can try again.',
    paid: 'Thank you, your payment is complete',
    terminated: 'This order has been cancelled',
    lost: 'We cannot find this payment',
  },
  sv: {
    tag: 'sv-SE',
    button: 'Betala 1 234 567,89 kr',
    heading: 'Dina uppgifter',
    email: 'Fyll i din e-postadress.',
    postalCode: 'Skriv ett postnummer som 111 22.',
    errors: '{count} fält behöver rättas.',
    declined: 'Betalningen nekades. Inga pengar har dragits. Prova ett annat kort eller ett annat sätt att betala.',
    bank: 'Bekräfta din betalning',
    rejected: 'Betalningen bekräftades inte hos din bank. Inga pengar har dragits. Du kan försöka igen.',
    paid: 'Tack, din betalning är klar',
    terminated: 'Beställningen har avbrutits',
    lost: 'Vi hittar inte betalningen',
  },
  nb: {
    tag: 'nb-NO',
    button: 'Betal 1 234 567,89 SEK',
    heading: 'Opplysninger om deg',
    email: 'Fyll inn e-postadressen din.',
    postalCode: 'Skriv et postnummer som 111 22.',
    errors: '{count} felt må rettes.',
    declined: 'Betalingen ble avvist. Ingen penger er trukket. Prøv et annet kort eller en annen betalingsmåte.',
    bank: 'Bekreft betalingen',
    rejected: 'Betalingen ble ikke bekreftet hos banken din. Ingen penger er trukket. Du kan prøve igjen.',
    paid: 'Takk, betalingen er fullført',
    terminated: 'Bestillingen er avbrutt',
    lost: 'Vi finner ikke betalingen',
  },
  da: {
    tag: 'da-DK',
    button: 'Betal 1.234.567,89 SEK',
    heading: 'Dine oplysninger',
    email: 'Skriv din e-mailadresse.',
    postalCode: 'Skriv et postnummer som 111 22.',
    errors: '{count} felter skal rettes.',
    declined:
      'Betalingen blev afvist. Der er ikke trukket nogen penge. Prøv et andet kort eller en anden betalingsmåde.',
    bank: 'Bekræft din betaling',
    rejected: 'Betalingen blev ikke bekræftet hos din bank. Der er ikke trukket nogen penge. Du kan prøve igen.',
    paid: 'Tak, din betaling er gennemført',
    terminated: 'Bestillingen er annulleret',
    lost: 'Vi kan ikke finde betalingen',
  },
  fi: {
    tag: 'fi-FI',
    button: 'Maksa 1 234 567,89 SEK',
    heading: 'Tietosi',
    email: 'Kirjoita sähköpostiosoitteesi.',
    postalCode: 'Kirjoita postinumero muodossa 111 22.',
    errors: '{count} kenttää on korjattava.',
    declined: 'Maksu hylättiin. Sinulta ei ole veloitettu mitään. Kokeile toista korttia tai toista maksutapaa.',
    bank: 'Vahvista maksusi',
    rejected: 'Maksua ei vahvistettu pankissasi. Sinulta ei ole veloitettu mitään. Voit yrittää uudelleen.',
    paid: 'Kiitos, maksusi on valmis',
    terminated: 'Tilaus on peruttu',
    lost: 'Maksua ei löydy',
  },
  de: {
    tag: 'de-DE',
    button: '1.234.567,89 SEK bezahlen',
    heading: 'Ihre Angaben',
    email: 'Bitte geben Sie Ihre E-Mail-Adresse ein.',
    postalCode: 'Bitte geben Sie eine Postleitzahl wie 111 22 ein.',
    errors: 'Bitte korrigieren Sie {count} Felder.',
    declined:
      'Die Zahlung wurde abgelehnt. Es wurde nichts abgebucht. Versuchen Sie es mit einer anderen Karte oder Zahlungsart.',
    bank: 'Bestätigen Sie Ihre Zahlung',
    rejected:
      'Die Zahlung wurde bei Ihrer Bank nicht bestätigt. Es wurde nichts abgebucht. Sie können es noch einmal versuchen.',
    paid: 'Vielen Dank, Ihre Zahlung ist abgeschlossen',
    terminated: 'Die Bestellung wurde storniert',
    lost: 'Wir finden diese Zahlung nicht',
  },
  fr: {
    tag: 'fr-FR',
    button: 'Payer 1 234 567,89 SEK',
    heading: 'Vos coordonnées',
    email: 'Saisissez votre adresse e-mail.',
    postalCode: 'Saisissez un code postal comme 111 22.',
    errors: '{count} champs sont à corriger.',
    declined: 'Le paiement a été refusé. Rien n’a été débité. Essayez une autre carte ou un autre moyen de paiement.',
    bank: 'Confirmez votre paiement',
    rejected: 'Le paiement n’a pas été confirmé auprès de votre banque. Rien n’a été débité. Vous pouvez réessayer.',
    paid: 'Merci, votre paiement est terminé',
    terminated: 'Cette commande a été annulée',
    lost: 'Nous ne trouvons pas ce paiement',
  },
  nl: {
    tag: 'nl-NL',
    button: 'SEK 1.234.567,89 betalen',
    heading: 'Uw gegevens',
    email: 'Vul uw e-mailadres in.',
    postalCode: 'Vul een postcode in zoals 111 22.',
    errors: '{count} velden moeten worden verbeterd.',
    declined:
      'De betaling is geweigerd. Er is niets afgeschreven. Probeer een andere kaart of een andere manier van betalen.',
    bank: 'Bevestig uw betaling',
    rejected: 'De betaling is niet bevestigd bij uw bank. Er is niets afgeschreven. U kunt het opnieuw proberen.',
    paid: 'Bedankt, uw betaling is voltooid',
    terminated: 'Deze bestelling is geannuleerd',
    lost: 'Wij kunnen deze betaling niet vinden',
  },
  es: {
    tag: 'es-ES',
    button: 'Pagar 1.234.567,89 SEK',
    heading: 'Sus datos',
    email: 'Escriba su correo electrónico.',
    postalCode: 'Escriba un código postal como 111 22.',
    errors: 'Hay {count} campos que corregir.',
    declined: 'El pago ha sido rechazado. No se ha cobrado nada. Pruebe con otra tarjeta o con otra forma de pago.',
    bank: 'Confirme su pago',
    rejected: 'El pago no se confirmó con su banco. No se ha cobrado nada. Puede intentarlo de nuevo.',
    paid: 'Gracias, su pago se ha completado',
    terminated: 'Este pedido se ha cancelado',
    lost: 'No encontramos este pago',
  },
  pl: {
    tag: 'pl-PL',
    button: 'Zapłać 1 234 567,89 SEK',
    heading: 'Twoje dane',
    email: 'Podaj adres e-mail.',
    postalCode: 'Podaj kod pocztowy w postaci 111 22.',
    errors: 'Pola do poprawy: {count}.',
    declined: 'Płatność została odrzucona. Nic nie zostało pobrane. Spróbuj innej karty lub innego sposobu płatności.',
    bank: 'Potwierdź swoją płatność',
    rejected: 'Płatność nie została potwierdzona w Twoim banku. Nic nie zostało pobrane. Możesz spróbować ponownie.',
    paid: 'Dziękujemy, płatność została zakończona',
    terminated: 'To zamówienie zostało anulowane',
    lost: 'Nie możemy znaleźć tej płatności',
  },
} as const;
type Language = keyof typeof LANGUAGES;
const languages = Object.entries(LANGUAGES) as [Language, (typeof LANGUAGES)[Language]][];

/** Spaces that do not break are spaces to a reader. */
const plain = (text: string | null): string => (text ?? '').replaceAll(/\s+/g, ' ').trim();
const textOf = async (page: Page, selector: string): Promise<string> =>
  plain(await page.locator(selector).first().textContent());
const langOf = (page: Page): Promise<string | null> => page.locator('html').getAttribute('lang');

async function chooseLanguage(page: Page, language: Language): Promise<void> {
  await page.locator('#language').selectOption(language);
  await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' });
  // What was typed is put back by the script.
  await page.waitForLoadState();
}

/** Sweden whatever the language, so that the examples are the same. */
const SWEDEN = { ShippingCountries: [{ countryCode: 'SWE' }, { countryCode: 'FIN' }] };

// The one with more than two forms for a number. What is said in the others is compared with English
// by test/checkout/languages.test.ts.
const WALKED: readonly Language[] = depth({
  daily: ['pl'],
  release: languages.map(([language]) => language),
});

for (const [language, texts] of languages.filter(([each]) => WALKED.includes(each)))
  describe(`in ${language}`, () => {
    test('the form, what is wrong with it, a decline, the bank, its no and the thanks', async (t) => {
      const { url } = await stage.create(SWEDEN, AMOUNT);
      const page = await stage.open(t, `${url}&language=${texts.tag}`);
      assert.equal(await langOf(page), language);
      assert.equal(await page.locator('#language').inputValue(), language);
      assert.equal(await textOf(page, '#consumer-heading'), texts.heading);
      assert.equal(plain(await payButton(page).textContent()), texts.button);

      await fillIn(page, { 'consumer.shippingAddress.postalCode': '1' });
      await press(page);
      assert.equal(plain(await errorAt(page, 'consumer.email').textContent()), texts.email);
      assert.equal(plain(await errorAt(page, 'consumer.shippingAddress.postalCode').textContent()), texts.postalCode);
      const count = String(await page.locator('[aria-invalid=true]').count());
      assert.equal(plain(await formError(page).textContent()), texts.errors.replace('{count}', count));

      await fillConsumer(page);
      await payByCard(page, CARDS.declined);
      await untilSaid(page, '#notice', texts.declined);

      await payByCard(page, CARDS.challenge);
      await untilSaid(page, '#challenge h2', /./);
      assert.equal(plain(await bank(page).locator('h1').textContent()), texts.bank);
      assert.equal(await bank(page).locator('html').getAttribute('lang'), language);
      const amount = texts.button.replaceAll(/[^\d.,]+/g, '');
      assert.ok(
        plain(await bank(page).locator('.receipt').textContent())
          .replaceAll(' ', '')
          .includes(amount),
      );
      await bank(page).locator('[value=reject]').click();
      await untilSaid(page, '#notice', texts.rejected);

      await payByCard(page);
      await untilState(page, 'paid');
      assert.equal(plain(await heading(page).textContent()), texts.paid);
      assert.equal(await langOf(page), language);
    });

    if (isRelease)
      test('by what the browser asks for', async (t) => {
        const { url } = await stage.create(KNOWN, AMOUNT);
        const page = await stage.open(t, url, { locale: texts.tag });
        assert.equal(await langOf(page), language);
        assert.equal(plain(await payButton(page).textContent()), texts.button);
      });

    test('by the choice on the page: of a form, of a payment that is over, of an address that is wrong', async (t) => {
      const { url, paymentId } = await stage.create(KNOWN, AMOUNT);
      const page = await stage.open(t, `${url}&language=${language === 'en' ? 'fi-FI' : 'en-GB'}`);
      await chooseLanguage(page, language);
      assert.equal(plain(await payButton(page).textContent()), texts.button);
      assert.equal(new URL(page.url()).searchParams.get('language'), language);
      await page.reload();
      assert.equal(await langOf(page), language);

      await stage.shop.client.must(204, 'PUT', `/v1/payments/${paymentId}/terminate`);
      const other = language === 'de' ? 'sv' : 'de';
      await page.goto(`${url}&language=${other}`);
      await chooseLanguage(page, language);
      assert.equal(plain(await heading(page).textContent()), texts.terminated);

      await page.goto(`${url.replace(paymentId, '0'.repeat(32))}&language=${other}`);
      await chooseLanguage(page, language);
      assert.equal(plain(await heading(page).textContent()), texts.lost);
    });
  });

test('what the address asks for comes before what the browser asks for, and what there is before what there is not', async () => {
  const { url } = await stage.create(KNOWN);
  const asks: [query: string, header: string, language: Language][] = [
    ['&language=da-DK', 'sv-SE', 'da'],
    ['&language=tlh', 'fi', 'fi'],
    ['', 'tlh, fi;q=0.4, da;q=0.8', 'da'],
    ['', 'nn-NO', 'nb'],
    ['&language=no', '', 'nb'],
    ['', 'ja', 'en'],
    ['&language=%3Cscript%3E', 'de-AT', 'de'],
  ];
  for (const [query, header, language] of asks) {
    const page = await fetch(url + query, { headers: { 'accept-language': header } });
    assert.equal(/<html lang="(\w+)"/.exec(await page.text())?.[1], language, `${query} ${header}`);
  }
});

describe('changing the language', () => {
  const BOTH = { consumerType: { default: 'B2C', supportedTypes: ['B2C', 'B2B'] } };

  test('keeps all that was typed and chosen, but the number and the code of the card', async (t) => {
    const { url } = await stage.create({ ...BOTH, ...SWEDEN });
    const page = await stage.open(t, url);
    await fillConsumer(page);
    await choice(page, 'consumerType', 'B2B').check();
    await fillIn(page, { 'consumer.company.name': 'Öberg & Co', 'consumer.company.contact.firstName': 'Ada' });
    await field(page, 'separateBilling').check();
    await fillIn(page, {
      'consumer.billingAddress.country': 'FIN',
      'consumer.billingAddress.city': 'Turku',
      'consumer.phoneNumber.prefix': '+358',
    });
    await fillCard(page);
    for (const language of depth<readonly Language[]>({ daily: ['sv', 'en'], release: ['sv', 'de', 'en'] })) {
      await chooseLanguage(page, language);
      const kept = {
        'consumer.company.name': 'Öberg & Co',
        'consumer.company.contact.firstName': 'Ada',
        'consumer.email': 'ada@example.test',
        'consumer.phoneNumber.prefix': '+358',
        'consumer.phoneNumber.number': '70 123 45 67',
        'consumer.shippingAddress.country': 'SWE',
        'consumer.shippingAddress.postalCode': '111 22',
        'consumer.billingAddress.country': 'FIN',
        'consumer.billingAddress.city': 'Turku',
        [EXPIRY]: '12 / 30',
        [CARD_NUMBER]: '',
        [CVC]: '',
      };
      for (const [name, value] of Object.entries(kept))
        assert.equal(await field(page, name).inputValue(), value, `${name} in ${language}`);
      assert.equal(await choice(page, 'consumerType', 'B2B').isChecked(), true);
      assert.equal(await field(page, 'separateBilling').isChecked(), true);
      // The person's name was typed as well, and is still there when it is asked for again.
      await choice(page, 'consumerType', 'B2C').check();
      assert.equal(await field(page, 'consumer.privatePerson.firstName').inputValue(), 'Ada');
      await choice(page, 'consumerType', 'B2B').check();
    }
  });

  test('keeps the way to pay and the national number', async (t) => {
    const { url } = await stage.create();
    const page = await stage.open(t, url);
    await fillConsumer(page);
    await choice(page, 'type', 'invoice').check();
    await fillIn(page, { [NATIONAL_NUMBER]: '19121212-1212' });
    await chooseLanguage(page, 'nb');
    assert.equal(await choice(page, 'type', 'invoice').isChecked(), true);
    assert.equal(await field(page, NATIONAL_NUMBER).inputValue(), '19121212-1212');
    await press(page);
    await untilState(page, 'paid');
  });

  test('keeps the focus on the choice itself, and is heard by a decline that is read again after a reload, and by the bank', async (t) => {
    const { url } = await stage.create(KNOWN);
    const page = await stage.open(t, url);
    await page.locator('#language').focus();
    await chooseLanguage(page, 'sv');
    assert.equal(await page.evaluate('document.activeElement.id'), 'language');
    await payByCard(page, CARDS.declined);
    await untilSaid(page, '#notice', 'Betalningen nekades');
    await page.reload();
    await untilSaid(page, '#notice', 'Inga pengar har dragits.');
    await chooseLanguage(page, 'da');
    await untilSaid(page, '#notice', 'Der er ikke trukket nogen penge.');
    await payByCard(page, CARDS.challenge);
    assert.equal(plain(await bank(page).locator('h1').textContent()), LANGUAGES.da.bank);
  });
});
