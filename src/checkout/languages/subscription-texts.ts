// What a consumer agrees to when they pay for something that is charged again, in every language of the checkout. Short
// sentences that stand below each other; words in braces are filled in.
import type { Notice } from './catalogue.ts';
import type { Language } from '../../pages/language.ts';

export type SubscriptionTexts = {
  readonly heading: string;
  readonly replaceHeading: string;
  /** {shop} */
  readonly agree: string;
  /** {shop}; another card for a subscription that there is. */
  readonly replace: string;
  readonly unscheduled: string;
  readonly daily: string;
  /** {days} */
  readonly everyDays: string;
  readonly noInterval: string;
  /** {amount}; the shop's word, which nobody else holds it to. */
  readonly amount: string;
  readonly variableAmount: string;
  /** {date} */
  readonly until: string;
  readonly noMoneyNow: string;
  readonly canEnd: string;
  /** Below the card's fields. */
  readonly secure: string;
  /** The button of an order of 0, and what follows it: {shop} */
  readonly saveCard: string;
  readonly saved: Notice;
};

export const SUBSCRIPTION_TEXTS: Readonly<Record<Language, SubscriptionTexts>> = {
  en: {
    heading: 'You agree to further charges',
    replaceHeading: 'Another card for your subscription',
    agree: '{shop} may charge this card again without asking you each time.',
    replace: '{shop} will charge this card for your subscription from now on.',
    unscheduled: 'There is no fixed schedule: it is charged when you use the service.',
    daily: 'At most once a day.',
    everyDays: 'At most once every {days} days.',
    noInterval: 'There is no fixed interval: the shop charges as you have agreed with it.',
    amount: 'The shop states {amount} for each charge.',
    variableAmount: 'The amount can differ from one charge to the next.',
    until: 'Until {date}.',
    noMoneyNow: 'Nothing is charged now.',
    canEnd: 'You can end it at any time, on a page whose link you get after paying.',
    secure: 'Your card number is never stored. A reference to the card is kept for later charges.',
    saveCard: 'Save card',
    saved: {
      title: 'Your card is saved',
      text: 'Nothing has been charged now. {shop} can charge the card as you have agreed.',
    },
  },
  sv: {
    heading: 'Du godkänner kommande dragningar',
    replaceHeading: 'Ett annat kort för din prenumeration',
    agree: '{shop} får dra pengar från kortet igen utan att fråga dig varje gång.',
    replace: '{shop} drar pengar från det här kortet för din prenumeration från och med nu.',
    unscheduled: 'Det finns inget fast schema: pengar dras när du använder tjänsten.',
    daily: 'Högst en gång om dagen.',
    everyDays: 'Högst en gång på {days} dagar.',
    noInterval: 'Det finns inget fast intervall: butiken drar pengar så som du har kommit överens med den.',
    amount: 'Butiken anger {amount} för varje dragning.',
    variableAmount: 'Beloppet kan variera från gång till gång.',
    until: 'Till och med {date}.',
    noMoneyNow: 'Inget dras nu.',
    canEnd: 'Du kan avsluta när du vill, på en sida som du får en länk till efter betalningen.',
    secure: 'Ditt kortnummer sparas aldrig. En referens till kortet sparas för kommande dragningar.',
    saveCard: 'Spara kortet',
    saved: {
      title: 'Ditt kort är sparat',
      text: 'Inget har dragits nu. {shop} kan dra pengar från kortet så som du har godkänt.',
    },
  },
  nb: {
    heading: 'Du godtar flere belastninger',
    replaceHeading: 'Et annet kort for abonnementet ditt',
    agree: '{shop} kan belaste kortet igjen uten å spørre deg hver gang.',
    replace: '{shop} belaster dette kortet for abonnementet ditt fra nå av.',
    unscheduled: 'Det er ingen fast plan: kortet belastes når du bruker tjenesten.',
    daily: 'Høyst én gang om dagen.',
    everyDays: 'Høyst én gang hver {days}. dag.',
    noInterval: 'Det er ikke noe fast intervall: butikken belaster kortet slik du har avtalt med den.',
    amount: 'Butikken oppgir {amount} for hver belastning.',
    variableAmount: 'Beløpet kan variere fra gang til gang.',
    until: 'Til og med {date}.',
    noMoneyNow: 'Ingenting trekkes nå.',
    canEnd: 'Du kan avslutte når du vil, på en side som du får lenke til etter betalingen.',
    secure: 'Kortnummeret ditt lagres aldri. En referanse til kortet lagres for senere belastninger.',
    saveCard: 'Lagre kortet',
    saved: {
      title: 'Kortet ditt er lagret',
      text: 'Ingenting er trukket nå. {shop} kan belaste kortet slik du har godtatt.',
    },
  },
  da: {
    heading: 'Du accepterer kommende betalinger',
    replaceHeading: 'Et andet kort til dit abonnement',
    agree: '{shop} må trække på kortet igen uden at spørge dig hver gang.',
    replace: '{shop} trækker fra nu af på dette kort for dit abonnement.',
    unscheduled: 'Der er ingen fast plan: der trækkes, når du bruger tjenesten.',
    daily: 'Højst én gang om dagen.',
    everyDays: 'Højst én gang hver {days}. dag.',
    noInterval: 'Der er intet fast interval: butikken trækker, som du har aftalt med den.',
    amount: 'Butikken oplyser {amount} for hver betaling.',
    variableAmount: 'Beløbet kan variere fra gang til gang.',
    until: 'Til og med {date}.',
    noMoneyNow: 'Der trækkes intet nu.',
    canEnd: 'Du kan opsige når som helst, på en side som du får et link til efter betalingen.',
    secure: 'Dit kortnummer gemmes aldrig. En reference til kortet gemmes til senere betalinger.',
    saveCard: 'Gem kortet',
    saved: {
      title: 'Dit kort er gemt',
      text: 'Der er ikke trukket noget nu. {shop} kan trække på kortet, som du har accepteret.',
    },
  },
  fi: {
    heading: 'Hyväksyt tulevat veloitukset',
    replaceHeading: 'Toinen kortti tilauksellesi',
    agree: '{shop} voi veloittaa korttia uudelleen kysymättä sinulta joka kerta.',
    replace: '{shop} veloittaa tilauksesi tästä lähtien tältä kortilta.',
    unscheduled: 'Kiinteää aikataulua ei ole: korttia veloitetaan, kun käytät palvelua.',
    daily: 'Enintään kerran päivässä.',
    everyDays: 'Enintään kerran {days} päivässä.',
    noInterval: 'Kiinteää väliä ei ole: kauppa veloittaa siten kuin olet sopinut sen kanssa.',
    amount: 'Kaupan ilmoittama summa on {amount} veloitusta kohden.',
    variableAmount: 'Summa voi vaihdella veloituksesta toiseen.',
    until: '{date} saakka.',
    noMoneyNow: 'Nyt ei veloiteta mitään.',
    canEnd: 'Voit lopettaa milloin tahansa sivulla, jonka linkin saat maksun jälkeen.',
    secure: 'Korttisi numeroa ei koskaan tallenneta. Viite korttiin säilytetään myöhempiä veloituksia varten.',
    saveCard: 'Tallenna kortti',
    saved: {
      title: 'Korttisi on tallennettu',
      text: 'Nyt ei veloitettu mitään. {shop} voi veloittaa korttia siten kuin olet hyväksynyt.',
    },
  },
  de: {
    heading: 'Sie stimmen weiteren Abbuchungen zu',
    replaceHeading: 'Eine andere Karte für Ihr Abonnement',
    agree: '{shop} darf diese Karte wieder belasten, ohne jedes Mal zu fragen.',
    replace: '{shop} belastet ab jetzt diese Karte für Ihr Abonnement.',
    unscheduled: 'Es gibt keinen festen Plan: Belastet wird, wenn Sie den Dienst nutzen.',
    daily: 'Höchstens einmal am Tag.',
    everyDays: 'Höchstens einmal in {days} Tagen.',
    noInterval: 'Es gibt keinen festen Abstand: Der Shop bucht ab, wie Sie es mit ihm vereinbart haben.',
    amount: 'Der Shop gibt {amount} je Abbuchung an.',
    variableAmount: 'Der Betrag kann von Mal zu Mal verschieden sein.',
    until: 'Bis {date}.',
    noMoneyNow: 'Jetzt wird nichts abgebucht.',
    canEnd: 'Sie können es jederzeit beenden, auf einer Seite, deren Link Sie nach dem Bezahlen bekommen.',
    secure:
      'Ihre Kartennummer wird nie gespeichert. Für spätere Abbuchungen wird ein Verweis auf die Karte aufbewahrt.',
    saveCard: 'Karte speichern',
    saved: {
      title: 'Ihre Karte ist gespeichert',
      text: 'Jetzt wurde nichts abgebucht. {shop} kann die Karte so belasten, wie Sie es erlaubt haben.',
    },
  },
  pl: {
    heading: 'Zgadzasz się na kolejne obciążenia',
    replaceHeading: 'Inna karta do Twojej subskrypcji',
    agree: '{shop} może ponownie obciążać tę kartę bez pytania za każdym razem.',
    replace: '{shop} będzie odtąd obciążać tę kartę za Twoją subskrypcję.',
    unscheduled: 'Nie ma stałego harmonogramu: karta jest obciążana, gdy korzystasz z usługi.',
    daily: 'Najwyżej raz dziennie.',
    everyDays: 'Najwyżej raz na {days} dni.',
    noInterval: 'Nie ma stałego odstępu: sklep pobiera opłaty zgodnie z ustaleniami z Tobą.',
    amount: 'Sklep podaje {amount} za każde obciążenie.',
    variableAmount: 'Kwota może się różnić przy każdym obciążeniu.',
    until: 'Do {date}.',
    noMoneyNow: 'Teraz nic nie jest pobierane.',
    canEnd: 'Możesz zakończyć w każdej chwili na stronie, do której link otrzymasz po płatności.',
    secure:
      'Numer Twojej karty nigdy nie jest zapisywany. Na potrzeby kolejnych obciążeń przechowywane jest odniesienie do karty.',
    saveCard: 'Zapisz kartę',
    saved: {
      title: 'Twoja karta została zapisana',
      text: 'Teraz nic nie pobrano. {shop} może obciążać kartę zgodnie z Twoją zgodą.',
    },
  },
  fr: {
    heading: 'Vous acceptez de prochains prélèvements',
    replaceHeading: 'Une autre carte pour votre abonnement',
    agree: '{shop} peut de nouveau débiter cette carte sans vous demander à chaque fois.',
    replace: '{shop} débitera désormais cette carte pour votre abonnement.',
    unscheduled: 'Il n’y a pas de calendrier fixe : la carte est débitée quand vous utilisez le service.',
    daily: 'Au plus une fois par jour.',
    everyDays: 'Au plus une fois tous les {days} jours.',
    noInterval: 'Il n’y a pas d’intervalle fixe : la boutique débite comme convenu avec vous.',
    amount: 'La boutique annonce {amount} par débit.',
    variableAmount: 'Le montant peut varier d’un débit à l’autre.',
    until: 'Jusqu’au {date}.',
    noMoneyNow: 'Rien n’est débité maintenant.',
    canEnd: 'Vous pouvez y mettre fin à tout moment, sur une page dont vous recevez le lien après le paiement.',
    secure:
      'Votre numéro de carte n’est jamais conservé. Une référence à la carte est conservée pour les prochains débits.',
    saveCard: 'Enregistrer la carte',
    saved: {
      title: 'Votre carte est enregistrée',
      text: 'Rien n’a été débité maintenant. {shop} peut débiter la carte comme vous l’avez accepté.',
    },
  },
  nl: {
    heading: 'U gaat akkoord met volgende afschrijvingen',
    replaceHeading: 'Een andere kaart voor uw abonnement',
    agree: '{shop} mag deze kaart opnieuw belasten zonder het telkens te vragen.',
    replace: '{shop} belast voortaan deze kaart voor uw abonnement.',
    unscheduled: 'Er is geen vast schema: de kaart wordt belast wanneer u de dienst gebruikt.',
    daily: 'Hoogstens één keer per dag.',
    everyDays: 'Hoogstens één keer per {days} dagen.',
    noInterval: 'Er is geen vaste tussentijd: de winkel schrijft af zoals u met de winkel hebt afgesproken.',
    amount: 'De winkel noemt {amount} per afschrijving.',
    variableAmount: 'Het bedrag kan per keer verschillen.',
    until: 'Tot en met {date}.',
    noMoneyNow: 'Er wordt nu niets afgeschreven.',
    canEnd: 'U kunt het altijd beëindigen, op een pagina waarvan u de link na het betalen krijgt.',
    secure:
      'Uw kaartnummer wordt nooit bewaard. Voor latere afschrijvingen wordt een verwijzing naar de kaart bewaard.',
    saveCard: 'Kaart opslaan',
    saved: {
      title: 'Uw kaart is opgeslagen',
      text: 'Er is nu niets afgeschreven. {shop} kan de kaart belasten zoals u hebt goedgekeurd.',
    },
  },
  es: {
    heading: 'Acepta próximos cargos',
    replaceHeading: 'Otra tarjeta para su suscripción',
    agree: '{shop} puede volver a cobrar a esta tarjeta sin preguntarle cada vez.',
    replace: '{shop} cobrará desde ahora su suscripción a esta tarjeta.',
    unscheduled: 'No hay un calendario fijo: se cobra cuando usa el servicio.',
    daily: 'Como máximo una vez al día.',
    everyDays: 'Como máximo una vez cada {days} días.',
    noInterval: 'No hay un intervalo fijo: la tienda cobra según lo que haya acordado con usted.',
    amount: 'La tienda indica {amount} por cada cargo.',
    variableAmount: 'El importe puede variar de un cargo a otro.',
    until: 'Hasta el {date}.',
    noMoneyNow: 'Ahora no se cobra nada.',
    canEnd: 'Puede terminarla cuando quiera, en una página cuyo enlace recibe después de pagar.',
    secure: 'Su número de tarjeta no se guarda nunca. Para los próximos cargos se guarda una referencia a la tarjeta.',
    saveCard: 'Guardar la tarjeta',
    saved: {
      title: 'Su tarjeta está guardada',
      text: 'Ahora no se ha cobrado nada. {shop} puede cobrar a la tarjeta según lo que ha aceptado.',
    },
  },
};
