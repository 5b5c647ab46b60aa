// What a consumer reads who pays with an app, such as Swish: in the checkout, and on the page that stands for the app in
// the sandbox. {app} is its name.
import type { Notice } from './catalogue.ts';
import type { Language } from '../../pages/language.ts';
import { fillIn } from '../../../web/shared/fill-in.ts';

export type AppTexts = {
  /** Beside the choice, and below it. */
  readonly hint: string;
  readonly text: string;
  /** The page that stands for the app. */
  readonly simulated: string;
  readonly title: string;
  readonly question: string;
  readonly wait: string;
  /** Around it, and once it was left without an answer. */
  readonly ownPage: string;
  readonly waiting: Notice;
  readonly goOn: string;
  readonly declined: Notice;
  /** What happens with the money, as `paid` has it for a card. */
  readonly reserved: string;
  readonly charged: string;
  readonly partlyCharged: string;
};

const APP_TEXTS: Readonly<Record<Language, AppTexts>> = {
  en: {
    hint: 'Approve in the app',
    text: 'When you press the button, {app} asks you to approve the payment.',
    simulated: 'Simulated {app} – no money moves',
    title: 'Approve in {app}',
    question: 'This is where {app} would ask you on your phone to approve the purchase.',
    wait: 'Decide later',
    ownPage: 'Open {app} in full',
    waiting: {
      title: '{app} is waiting for you',
      text: 'Approve the payment in {app}. This page updates by itself. You can also pay in another way.',
    },
    goOn: 'Continue in {app}',
    declined: {
      title: 'The payment was declined in {app}',
      text: 'Nothing has been charged. You can try again, or pay in another way.',
    },
    reserved: 'The amount is reserved with {app}. It is drawn when the shop sends your order.',
    charged: 'The amount has been charged with {app}. The shop is now preparing your order.',
    partlyCharged: '{amount} has been charged with {app}. The rest is reserved and drawn when the shop sends it.',
  },
  sv: {
    hint: 'Godkänn i appen',
    text: 'När du trycker på knappen ber {app} dig att godkänna betalningen.',
    simulated: 'Simulerad {app} – inga pengar flyttas',
    title: 'Godkänn i {app}',
    question: 'Här skulle {app} be dig att godkänna köpet i din telefon.',
    wait: 'Bestäm senare',
    ownPage: 'Öppna {app} i helsida',
    waiting: {
      title: '{app} väntar på dig',
      text: 'Godkänn betalningen i {app}. Sidan uppdateras av sig själv. Du kan också betala på ett annat sätt.',
    },
    goOn: 'Fortsätt i {app}',
    declined: {
      title: 'Betalningen avvisades i {app}',
      text: 'Inga pengar har dragits. Du kan försöka igen eller betala på ett annat sätt.',
    },
    reserved: 'Beloppet är reserverat med {app}. Det dras när butiken skickar din beställning.',
    charged: 'Beloppet har dragits med {app}. Butiken förbereder nu din beställning.',
    partlyCharged: '{amount} har dragits med {app}. Resten är reserverat och dras när butiken skickar det.',
  },
  nb: {
    hint: 'Godkjenn i appen',
    text: 'Når du trykker på knappen, ber {app} deg om å godkjenne betalingen.',
    simulated: 'Simulert {app} – ingen penger flyttes',
    title: 'Godkjenn i {app}',
    question: 'Her ville {app} bedt deg om å godkjenne kjøpet på telefonen.',
    wait: 'Bestem deg senere',
    ownPage: 'Åpne {app} i full størrelse',
    waiting: {
      title: '{app} venter på deg',
      text: 'Godkjenn betalingen i {app}. Siden oppdateres av seg selv. Du kan også betale på en annen måte.',
    },
    goOn: 'Fortsett i {app}',
    declined: {
      title: 'Betalingen ble avvist i {app}',
      text: 'Ingen penger er trukket. Du kan prøve igjen eller betale på en annen måte.',
    },
    reserved: 'Beløpet er reservert med {app}. Det trekkes når butikken sender bestillingen.',
    charged: 'Beløpet er trukket med {app}. Butikken gjør nå klar bestillingen din.',
    partlyCharged: '{amount} er trukket med {app}. Resten er reservert og trekkes når butikken sender det.',
  },
  da: {
    hint: 'Godkend i appen',
    text: 'Når du trykker på knappen, beder {app} dig om at godkende betalingen.',
    simulated: 'Simuleret {app} – der flyttes ingen penge',
    title: 'Godkend i {app}',
    question: 'Her ville {app} bede dig om at godkende købet på din telefon.',
    wait: 'Beslut senere',
    ownPage: 'Åbn {app} i fuld størrelse',
    waiting: {
      title: '{app} venter på dig',
      text: 'Godkend betalingen i {app}. Siden opdateres af sig selv. Du kan også betale på en anden måde.',
    },
    goOn: 'Fortsæt i {app}',
    declined: {
      title: 'Betalingen blev afvist i {app}',
      text: 'Der er ikke trukket nogen penge. Du kan prøve igen eller betale på en anden måde.',
    },
    reserved: 'Beløbet er reserveret med {app}. Det trækkes, når butikken sender din ordre.',
    charged: 'Beløbet er trukket med {app}. Butikken gør nu din ordre klar.',
    partlyCharged: '{amount} er trukket med {app}. Resten er reserveret og trækkes, når butikken sender det.',
  },
  fi: {
    hint: 'Hyväksy sovelluksessa',
    text: 'Kun painat painiketta, {app} pyytää sinua hyväksymään maksun.',
    simulated: 'Simuloitu {app} – rahaa ei siirry',
    title: 'Hyväksy: {app}',
    question: 'Tässä {app} pyytäisi sinua hyväksymään oston puhelimessasi.',
    wait: 'Päätä myöhemmin',
    ownPage: 'Avaa {app} koko sivulla',
    waiting: {
      title: '{app} odottaa sinua',
      text: 'Hyväksy maksu: {app}. Tämä sivu päivittyy itsestään. Voit maksaa myös muulla tavalla.',
    },
    goOn: 'Jatka: {app}',
    declined: {
      title: 'Maksu hylättiin: {app}',
      text: 'Sinulta ei ole veloitettu mitään. Voit yrittää uudelleen tai maksaa muulla tavalla.',
    },
    reserved: 'Summa on varattu ({app}). Se veloitetaan, kun kauppa lähettää tilauksesi.',
    charged: 'Summa on veloitettu ({app}). Kauppa valmistelee nyt tilaustasi.',
    partlyCharged: '{amount} on veloitettu ({app}). Loput on varattu ja veloitetaan, kun kauppa lähettää ne.',
  },
  de: {
    hint: 'In der App bestätigen',
    text: 'Wenn Sie auf den Knopf drücken, bittet {app} Sie, die Zahlung zu bestätigen.',
    simulated: 'Simuliertes {app} – es fließt kein Geld',
    title: 'In {app} bestätigen',
    question: 'Hier würde {app} Sie auf Ihrem Telefon bitten, den Kauf zu bestätigen.',
    wait: 'Später entscheiden',
    ownPage: '{app} in voller Größe öffnen',
    waiting: {
      title: '{app} wartet auf Sie',
      text: 'Bestätigen Sie die Zahlung in {app}. Diese Seite aktualisiert sich von selbst. Sie können auch anders bezahlen.',
    },
    goOn: 'Weiter in {app}',
    declined: {
      title: 'Die Zahlung wurde in {app} abgelehnt',
      text: 'Es wurde nichts abgebucht. Sie können es noch einmal versuchen oder anders bezahlen.',
    },
    reserved: 'Der Betrag ist mit {app} reserviert. Er wird abgebucht, wenn der Shop Ihre Bestellung versendet.',
    charged: 'Der Betrag wurde mit {app} abgebucht. Der Shop bereitet jetzt Ihre Bestellung vor.',
    partlyCharged:
      '{amount} wurden mit {app} abgebucht. Der Rest ist reserviert und wird abgebucht, wenn der Shop ihn versendet.',
  },
  nl: {
    hint: 'Goedkeuren in de app',
    text: 'Als u op de knop drukt, vraagt {app} u om de betaling goed te keuren.',
    simulated: 'Gesimuleerde {app} – er beweegt geen geld',
    title: 'Goedkeuren in {app}',
    question: 'Hier zou {app} u op uw telefoon vragen om de aankoop goed te keuren.',
    wait: 'Later beslissen',
    ownPage: '{app} op volledige grootte openen',
    waiting: {
      title: '{app} wacht op u',
      text: 'Keur de betaling goed in {app}. Deze pagina werkt zichzelf bij. U kunt ook op een andere manier betalen.',
    },
    goOn: 'Verder in {app}',
    declined: {
      title: 'De betaling is geweigerd in {app}',
      text: 'Er is niets afgeschreven. U kunt het opnieuw proberen of op een andere manier betalen.',
    },
    reserved: 'Het bedrag is gereserveerd met {app}. Het wordt afgeschreven als de winkel uw bestelling verzendt.',
    charged: 'Het bedrag is afgeschreven met {app}. De winkel maakt uw bestelling nu klaar.',
    partlyCharged:
      '{amount} is afgeschreven met {app}. De rest is gereserveerd en wordt afgeschreven als de winkel het verzendt.',
  },
  fr: {
    hint: 'Approuver dans l’application',
    text: 'Lorsque vous appuyez sur le bouton, {app} vous demande d’approuver le paiement.',
    simulated: '{app} simulé – aucun argent ne circule',
    title: 'Approuver dans {app}',
    question: 'C’est ici que {app} vous demanderait d’approuver l’achat sur votre téléphone.',
    wait: 'Décider plus tard',
    ownPage: 'Ouvrir {app} en pleine page',
    waiting: {
      title: '{app} vous attend',
      text: 'Approuvez le paiement dans {app}. Cette page se met à jour toute seule. Vous pouvez aussi payer autrement.',
    },
    goOn: 'Continuer dans {app}',
    declined: {
      title: 'Le paiement a été refusé dans {app}',
      text: 'Rien n’a été débité. Vous pouvez réessayer ou payer autrement.',
    },
    reserved: 'Le montant est réservé avec {app}. Il est débité lorsque la boutique expédie votre commande.',
    charged: 'Le montant a été débité avec {app}. La boutique prépare maintenant votre commande.',
    partlyCharged:
      '{amount} ont été débités avec {app}. Le reste est réservé et sera débité lorsque la boutique l’expédiera.',
  },
  es: {
    hint: 'Aprobar en la aplicación',
    text: 'Cuando pulse el botón, {app} le pedirá que apruebe el pago.',
    simulated: '{app} simulado: no se mueve dinero',
    title: 'Aprobar en {app}',
    question: 'Aquí {app} le pediría en su teléfono que aprobara la compra.',
    wait: 'Decidir más tarde',
    ownPage: 'Abrir {app} a página completa',
    waiting: {
      title: '{app} le está esperando',
      text: 'Apruebe el pago en {app}. Esta página se actualiza sola. También puede pagar de otra manera.',
    },
    goOn: 'Continuar en {app}',
    declined: {
      title: 'El pago se rechazó en {app}',
      text: 'No se ha cobrado nada. Puede intentarlo de nuevo o pagar de otra manera.',
    },
    reserved: 'El importe está reservado con {app}. Se cobra cuando la tienda envía su pedido.',
    charged: 'El importe se ha cobrado con {app}. La tienda está preparando su pedido.',
    partlyCharged: 'Se han cobrado {amount} con {app}. El resto está reservado y se cobra cuando la tienda lo envía.',
  },
  pl: {
    hint: 'Zatwierdź w aplikacji',
    text: 'Po naciśnięciu przycisku {app} poprosi o zatwierdzenie płatności.',
    simulated: 'Symulacja {app} – żadne pieniądze nie są przekazywane',
    title: 'Zatwierdź w {app}',
    question: 'W tym miejscu {app} poprosi na telefonie o zatwierdzenie zakupu.',
    wait: 'Zdecyduj później',
    ownPage: 'Otwórz {app} na całej stronie',
    waiting: {
      title: '{app} czeka na odpowiedź',
      text: 'Zatwierdź płatność w {app}. Ta strona odświeża się sama. Możesz też zapłacić w inny sposób.',
    },
    goOn: 'Przejdź do {app}',
    declined: {
      title: 'Płatność odrzucono w {app}',
      text: 'Nic nie zostało pobrane. Możesz spróbować ponownie lub zapłacić w inny sposób.',
    },
    reserved: 'Kwota jest zarezerwowana w {app}. Zostanie pobrana, gdy sklep wyśle zamówienie.',
    charged: 'Kwotę pobrano w {app}. Sklep przygotowuje teraz zamówienie.',
    partlyCharged: '{amount} pobrano w {app}. Reszta jest zarezerwowana i zostanie pobrana, gdy sklep ją wyśle.',
  },
};

const named = (app: string, { title, text }: Notice): Notice => ({
  title: fillIn(title, { app }),
  text: fillIn(text, { app }),
});

/** The texts with the name of the app in them. */
export function appTexts(language: Language, app: string): AppTexts {
  const { waiting, declined, ...texts } = APP_TEXTS[language];
  const filled = Object.entries(texts).map(([name, text]) => [name, fillIn(text, { app })] as const);
  return {
    ...(Object.fromEntries(filled) as Omit<AppTexts, 'waiting' | 'declined'>),
    waiting: named(app, waiting),
    declined: named(app, declined),
  };
}
