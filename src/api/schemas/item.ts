// An order item in a request.
import * as Type from '../../schema/type.ts';
import { ItemAmount, LooseText, Text } from './values.ts';

const MOST_ITEMS = 1_000;
const HIGHEST_QUANTITY = 1_000_000_000;
const HIGHEST_TAX_RATE = 99_999;

const REQUIRED = ['reference', 'name', 'quantity', 'unit', 'unitPrice', 'grossTotalAmount', 'netTotalAmount'];

export const OrderItemSchema = Type.Object(
  {
    // Real shops send their product numbers as numbers; see normalize-body.ts.
    reference: Type.String({
      minLength: 1,
      maxLength: 128,
      format: 'text',
      description: 'Your reference of the product; a whole number is taken as text.',
      'x-number-as-text': true,
    }),
    name: Text(128, 'What the consumer reads.'),
    quantity: Type.Number({
      minimum: 0,
      maximum: HIGHEST_QUANTITY,
      format: 'six-decimals',
      description: 'With at most six decimals.',
    }),
    unit: Text(128, 'For example pcs or kg.'),
    unitPrice: ItemAmount('Of one unit, without tax, in minor units.'),
    taxRate: Type.Number({
      minimum: 0,
      maximum: HIGHEST_TAX_RATE,
      default: 0,
      description: 'Hundredths of a percent: 2500 is 25 %.',
    }),
    taxAmount: Type.Integer({ ...ItemAmount('Tax of the whole line, in minor units.'), default: 0 }),
    grossTotalAmount: ItemAmount('The whole line with tax, in minor units; negative for a discount.'),
    netTotalAmount: ItemAmount('The whole line without tax, in minor units.'),
  },
  {
    title: 'OrderItem',
    description: 'A line of an order, a charge, a cancel or a refund. Answers always hold all nine fields.',
    required: REQUIRED,
  },
);

/** An item of an order can have a picture; a charge, refund or cancel has no use for it. */
const PicturedItemSchema = Type.Object(
  {
    ...OrderItemSchema.properties,
    imageUrl: Type.Optional(
      LooseText(
        2_048,
        'The address of a picture for the checkout: GIF, JPEG, PNG or WebP. Anything else is no picture.',
      ),
    ),
  },
  {
    title: 'PicturedOrderItem',
    description: 'A line of an order, with a picture if there is one.',
    required: REQUIRED,
  },
);

/** Items of an order: at least one. */
export const OrderItems = Type.Array(PicturedItemSchema, {
  minItems: 1,
  maxItems: MOST_ITEMS,
  description: 'With at most 50 different tax rates.',
});

/** Items of a charge, refund or cancel: none is the same as not given. */
export const MovedItems = Type.Array(OrderItemSchema, {
  maxItems: MOST_ITEMS,
  description: 'With those of the order and of all movements before, at most 50 different tax rates.',
});
