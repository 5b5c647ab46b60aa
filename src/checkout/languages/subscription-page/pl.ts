// The page of a subscription in Polish.
import type { SubscriptionPageTexts } from './texts.ts';

export const pl: SubscriptionPageTexts = {
  title: 'Twoja subskrypcja w {shop}',
  active: 'Aktywna',
  needsCard: 'Twój bank nie przyjmuje już tej karty do subskrypcji. Sklep musi poprosić Cię o inną.',
  agreedHeading: 'Na co wyrażono zgodę',
  howOften: 'Jak często',
  amount: 'Kwota',
  until: 'Do',
  endedOn: 'Zakończono',
  card: 'Karta',
  agreedOn: 'Data zgody',
  nextCharge: 'Najwcześniejsze następne obciążenie',
  chargesHeading: 'Dotychczasowe obciążenia',
  noCharges: 'Od chwili zgody nic nie pobrano.',
  paid: 'Zapłacono przy zakupie',
  reserved: 'Zarezerwowano przy zakupie',
  charged: 'Pobrano',
  pending: 'W toku',
  declined: 'Odrzucono',
  refunded: 'Zwrócono {amount}',
  older: 'Starsze obciążenia nie są pokazane.',
  end: 'Zakończ subskrypcję',
  confirm: {
    title: 'Zakończyć subskrypcję w {shop}?',
    text: '{shop} nie będzie już mógł obciążać za nią Twojej karty. Obciążenie, które jest w toku, zostanie dokończone. Tego nie można cofnąć; trzeba by subskrybować od nowa.',
  },
  keep: 'Zachowaj',
  ended: {
    title: 'Twoja subskrypcja została zakończona',
    text: 'Zakończono ją na Twoją prośbę {date}. {shop} nie może już obciążać za nią Twojej karty.',
  },
  endedByShop: {
    title: 'Twoja subskrypcja została zakończona',
    text: '{shop} zakończył ją {date} i nie może już obciążać za nią Twojej karty.',
  },
  expired: {
    title: 'Twoja subskrypcja wygasła',
    text: 'Trwała do {date}. {shop} nie może już obciążać za nią Twojej karty.',
  },
  see: 'Zobacz lub zakończ swoją subskrypcję',
  notFound: {
    title: 'Nie możemy znaleźć tej subskrypcji',
    text: 'Link może być niepełny. Otwórz go dokładnie tak, jak go otrzymano, albo poproś o niego sklep jeszcze raz.',
  },
  tooMany: {
    title: 'Zbyt wiele odwiedzin naraz',
    text: 'Odczekaj kilka sekund i spróbuj ponownie.',
  },
};
